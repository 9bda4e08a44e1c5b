set local role svc_publisher;

-- Pieces whose consent became void, for the emails to their writers. Each is answered once.
create or replace function app.void_schedules_to_notify() returns setof uuid
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.schedules s set notified_at = clock_timestamp()
     where s.voided_at is not null and s.notified_at is null
    returning s.piece_id
  $$;

revoke all on function app.void_schedules_to_notify() from public;
grant execute on function app.void_schedules_to_notify() to svc_worker;
