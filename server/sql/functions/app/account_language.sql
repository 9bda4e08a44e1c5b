set local role svc_owner;

-- The language that the signed-in person chose; null if none.
create or replace function app.account_language(p_session_hash bytea) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.language from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.account_language(bytea) from public;
grant execute on function app.account_language(bytea) to svc_desk;
