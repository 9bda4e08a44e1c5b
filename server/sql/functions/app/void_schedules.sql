set local role svc_publisher;

create or replace function app.void_schedules(p_writer uuid, p_reason text) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.schedules set voided_at = clock_timestamp(), rendering = null, void_reason = p_reason
     where writer_id = p_writer and voided_at is null
  $$;

revoke all on function app.void_schedules(uuid, text) from public;
