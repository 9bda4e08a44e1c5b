set local role svc_owner;

create or replace function app.freshly_signed_in(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not app.is_fresh(session) then
    raise exception 'signed in too long ago' using errcode = 'SF428';
  end if;
  return session;
end
$$;

revoke all on function app.freshly_signed_in(bytea) from public;
grant execute on function app.freshly_signed_in(bytea) to svc_publisher;
