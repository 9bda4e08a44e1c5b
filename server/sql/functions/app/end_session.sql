set local role svc_owner;

create or replace function app.end_session(p_session_hash bytea, p_session uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  update app.sessions s set revoked_at = clock_timestamp()
   where s.id = p_session and s.account_id = session.account_id and s.revoked_at is null;
  if not found then
    raise exception 'error.session_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.end_session(bytea, uuid) from public;
grant execute on function app.end_session(bytea, uuid) to svc_desk;
