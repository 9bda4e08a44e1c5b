set local role svc_publisher;

-- What is done is kept for thirty days; what is held since the site switched its webhook off, too. What is held by a pause
-- stays as long as the pause. Answers how many went.
create or replace function app.sweep_deliveries(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  long_ago timestamptz := now() - interval :'delivery_retention';
  gone     integer;
begin
  delete from app.deliveries d where d.id in (
    select o.id from app.deliveries o
     where o.state <> 'pending' and o.created_at < long_ago and coalesce(o.held_at, o.ended_at, o.created_at) < long_ago
       and (o.state <> 'held' or not exists (
             select from app.webhooks w where w.writer_id = o.writer_id and w.state <> 'disabled'))
     limit p_limit for update skip locked);
  get diagnostics gone = row_count;
  return gone;
end
$$;

revoke all on function app.sweep_deliveries(integer) from public;
grant execute on function app.sweep_deliveries(integer) to svc_worker;
