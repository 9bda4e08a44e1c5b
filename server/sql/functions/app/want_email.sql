set local role svc_owner;

-- Answers with the account. Another wish replaces the one before, and its link with it.
create or replace function app.want_email(p_session_hash bytea, p_email text) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  if exists (select from app.email_changes c
              where c.account_id = session.account_id and c.confirmed_at is not null
                and c.expires_at > clock_timestamp()) then
    raise exception 'error.email_changed_recently' using errcode = 'SF409';
  end if;
  if (select count(*) from app.mail_tokens t
       where t.account_id = session.account_id and t.kind <> 'recover'
         and t.created_at > now() - interval '1 hour') >= :emails_per_hour then
    raise exception 'error.too_many_emails' using errcode = 'SF419', detail = '{"limit":10}';
  end if;
  -- Counted like every email; it opens nothing.
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (sha256(convert_to(gen_random_uuid()::text, 'UTF8')), session.account_id, 'known', clock_timestamp());
  insert into app.email_changes (account_id, email, former_email)
  select a.id, p_email, a.email from app.accounts a where a.id = session.account_id
  on conflict (account_id) do update
     set email = excluded.email, former_email = excluded.former_email, asked_at = excluded.asked_at, token_hash = null,
         confirmed_at = null, expires_at = excluded.expires_at;
  return session.account_id;
end
$$;

revoke all on function app.want_email(bytea, text) from public;
grant execute on function app.want_email(bytea, text) to svc_desk;
