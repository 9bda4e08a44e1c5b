set local role svc_owner;

create or replace function app.set_password(p_session_hash bytea, p_params text, p_proof bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  perform app.keep_password(session.account_id, p_params, p_proof);
  perform app.end_what_waits(session.account_id);
  perform app.end_sessions(session.account_id, session.id);
end
$$;

revoke all on function app.set_password(bytea, text, bytea) from public;
grant execute on function app.set_password(bytea, text, bytea) to svc_desk;
