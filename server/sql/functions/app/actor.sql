set local role svc_owner;

-- Who is at work: a key, or a person in a session.
create or replace function app.actor(out writer_id uuid, out key_id uuid, out account_id uuid, out session_id uuid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  key     app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
  session app.sessions;
begin
  if key.id is not null then
    writer_id := key.writer_id;
    key_id := key.id;
    return;
  end if;
  session := app.acting_session();
  account_id := session.account_id;
  session_id := session.id;
  writer_id := app.session_writer();
end
$$;

revoke all on function app.actor() from public;
grant execute on function app.actor() to svc_publisher;
