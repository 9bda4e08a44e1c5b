set local role svc_owner;

-- The language of emails to this address: what its account chose; null if there is none.
create or replace function app.email_language(p_email text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.language from app.accounts a where a.email = p_email
  $$;

revoke all on function app.email_language(text) from public;
grant execute on function app.email_language(text) to svc_worker;
