set local role svc_owner;

create or replace function app.key_writer() returns uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
begin
  return live.writer_id;
end
$$;

revoke all on function app.key_writer() from public;
grant execute on function app.key_writer() to svc_api, svc_publisher;
