set local role svc_owner;

-- The current address of the writer of an account; null if there is none.
create or replace function app.slug_of_account(p_account uuid) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select w.slug from app.writers w where w.account_id = p_account $$;

revoke all on function app.slug_of_account(uuid) from public;
grant execute on function app.slug_of_account(uuid) to svc_worker;
