set local role svc_owner;

create or replace function app.rename_passkey(p_session_hash bytea, p_passkey uuid, p_name text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  perform app.demand_passkey(session.account_id, p_passkey);
  update app.passkeys k set name = p_name where k.id = p_passkey;
end
$$;

revoke all on function app.rename_passkey(bytea, uuid, text) from public;
grant execute on function app.rename_passkey(bytea, uuid, text) to svc_desk;
