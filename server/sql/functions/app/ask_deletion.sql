set local role svc_owner;

-- Answers when. Asked for again, the date stays. `p_name` is their name as they typed it.
create or replace function app.ask_deletion(p_session_hash bytea, p_name text, out delete_at timestamptz, out is_new boolean)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account app.accounts;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  select a.* into account from app.accounts a where a.id = session.account_id;
  if coalesce((select w.name from app.writers w where w.account_id = account.id), account.name, account.email)
     is distinct from p_name then
    raise exception 'error.name_mismatch' using errcode = 'SF400';
  end if;
  is_new := account.delete_at is null;
  if is_new then
    -- Each is an email.
    if (select count(*) from app.security_events e
         where e.account_id = account.id and e.act = 'deletion_asked' and e.at > now() - interval '1 hour') >= :deletion_requests_per_hour then
      raise exception 'error.too_many_requests' using errcode = 'SF419', detail = '{"limit":5}';
    end if;
    update app.accounts a set delete_asked_at = clock_timestamp(), delete_at = clock_timestamp() + interval :'deletion_delay'
     where a.id = account.id returning a.* into account;
  end if;
  delete_at := account.delete_at;
end
$$;

revoke all on function app.ask_deletion(bytea, text) from public;
grant execute on function app.ask_deletion(bytea, text) to svc_desk;
