set local role svc_publisher;

create or replace function app.due_schedules(p_limit integer) returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select s.piece_id from app.schedules s
     where s.voided_at is null and s.publish_at <= clock_timestamp() order by s.publish_at, s.piece_id limit p_limit
  $$;

revoke all on function app.due_schedules(integer) from public;
grant execute on function app.due_schedules(integer) to svc_worker;
