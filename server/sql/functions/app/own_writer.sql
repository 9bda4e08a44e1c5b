set local role svc_publisher;

-- The writer of this session, for this act alone until it is done.
create or replace function app.own_writer(p_session_hash bytea) returns app.writers
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  mine    app.writers;
begin
  perform app.lock_writer(w.id) from app.writers w join app.sessions s on s.account_id = w.account_id
    where s.token_hash = p_session_hash;
  session := app.signed_in(p_session_hash);
  select w.* into mine from app.writers w where w.account_id = session.account_id;
  if not found then
    raise exception 'error.writers_only' using errcode = 'SF403';
  end if;
  return mine;
end
$$;

revoke all on function app.own_writer(bytea) from public;
grant execute on function app.own_writer(bytea) to svc_desk;
