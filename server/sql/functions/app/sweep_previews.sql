set local role svc_owner;

create or replace function app.sweep_previews() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.previews where expires_at < clock_timestamp() $$;

revoke all on function app.sweep_previews() from public;
grant execute on function app.sweep_previews() to svc_worker;
