set local role svc_owner;

-- What stays must be enough to come in with.
create or replace function app.delete_passkey(p_session_hash bytea, p_passkey uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.demand_passkey(session.account_id, p_passkey);
  delete from app.passkeys k where k.id = p_passkey;
  if not exists (select from app.passkeys k where k.account_id = session.account_id)
     and (select a.password_proof is null from app.accounts a where a.id = session.account_id) then
    raise exception 'error.last_way_in' using errcode = 'SF4LW';
  end if;
  perform app.end_sessions(session.account_id, session.id);
end
$$;

revoke all on function app.delete_passkey(bytea, uuid) from public;
grant execute on function app.delete_passkey(bytea, uuid) to svc_desk;
