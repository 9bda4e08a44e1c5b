set local role svc_owner;

-- A shorter password is for beside a passkey, and the last passkey may have gone this moment.
create or replace function app.keep_password(p_account uuid, p_params text, p_proof bytea) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$ update app.accounts a set password_params = p_params, password_proof = p_proof where a.id = p_account $$;

revoke all on function app.keep_password(uuid, text, bytea) from public;
