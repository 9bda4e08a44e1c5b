set local role svc_owner;

-- Of deliveries to other servers: how many wait, changes and activities that are not ordered for all inboxes yet, and for how
-- long the first delivery to a host has been due, in seconds.
create or replace function app.fediverse_delivery_figures()
  returns table (deliveries bigint, changes bigint, failing bigint, longest double precision)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select (select count(*) from app.fediverse_deliveries d where d.due_at is not null),
           (select count(*) from app.fediverse_changes)
             + (select count(*) from app.fediverse_activities a where not a.is_expanded),
           (select count(*) from app.fediverse_hosts h where h.failures > 0),
           (select coalesce(greatest(extract(epoch from statement_timestamp() - min(h.ready_at)), 0), 0)::double precision
              from app.fediverse_hosts h)
  $$;

revoke all on function app.fediverse_delivery_figures() from public;
grant execute on function app.fediverse_delivery_figures() to svc_worker;
