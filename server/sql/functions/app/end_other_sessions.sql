set local role svc_owner;

create or replace function app.end_other_sessions(p_session_hash bytea) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  perform app.end_what_waits(session.account_id);
  return app.end_sessions(session.account_id, session.id);
end
$$;

revoke all on function app.end_other_sessions(bytea) from public;
grant execute on function app.end_other_sessions(bytea) to svc_desk;
