set local role svc_owner;

create or replace function app.passkey(p_credential_id bytea)
  returns table (account_id uuid, email text, public_key bytea, counter bigint)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.id, a.email, k.public_key, k.counter
      from app.passkeys k join app.accounts a on a.id = k.account_id where k.credential_id = p_credential_id
  $$;

revoke all on function app.passkey(bytea) from public;
grant execute on function app.passkey(bytea) to svc_desk;
