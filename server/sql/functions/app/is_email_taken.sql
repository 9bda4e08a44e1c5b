set local role svc_owner;

-- A person has confirmed this address, or may still take it back; a sign-up that nobody confirmed is nobody's.
create or replace function app.is_email_taken(p_email text, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.accounts a
                    where a.email = p_email and a.id <> p_account
                      and (a.email_verified_at is not null or exists (select from app.writers w where w.account_id = a.id)))
        or exists (select from app.mail_tokens t
                    where t.email = p_email and t.account_id <> p_account and t.used_at is null
                      and t.expires_at > clock_timestamp())
  $$;

revoke all on function app.is_email_taken(text, uuid) from public;
