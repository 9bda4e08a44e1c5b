set local role svc_publisher;

create or replace function app.release_deliveries(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set state = 'pending', held_at = null, tries = 0, due_at = clock_timestamp()
     where writer_id = p_writer and state = 'held';
    select app.line_up(p_writer)
  $$;

revoke all on function app.release_deliveries(uuid) from public;
