set local role svc_owner;

-- Who acts is noted for the rest of the transaction: the history says from where.
create or replace function app.signed_in(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(p_session_hash);
begin
  if session.id is null then
    raise exception 'no live session' using errcode = 'SF401';
  end if;
  perform set_config('app.acting_session', session.id::text, true);
  return session;
end
$$;

revoke all on function app.signed_in(bytea) from public;
grant execute on function app.signed_in(bytea) to svc_publisher;
