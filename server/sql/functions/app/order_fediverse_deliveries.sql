set local role svc_owner;

-- Deliveries of an activity to these inboxes, as far as their servers are not blocked. One that waits for the same object is
-- replaced.
create or replace function app.order_fediverse_deliveries(p_activity uuid, p_inboxes text[]) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment   timestamptz := clock_timestamp();
  activity app.fediverse_activities;
  inboxes  text[] := array(select i from unnest(p_inboxes) i where not app.is_blocked_server(app.host_of(i)));
begin
  select a.* into activity from app.fediverse_activities a where a.id = p_activity;
  perform app.line_up_fediverse_host(h.host, moment)
     from (select distinct app.host_of(i) as host from unnest(inboxes) i order by 1) h;
  if activity.object_id is null or activity.kind = 'announce' then
    insert into app.fediverse_deliveries (inbox, host, activity_id, due_at)
    select i, app.host_of(i), activity.id, moment from unnest(inboxes) i;
    -- Who is shown an object gets it, and has to be asked to delete it.
    insert into app.fediverse_deliveries (object_id, inbox, host, has)
    select activity.object_id, i, app.host_of(i), 'something' from unnest(inboxes) i where activity.object_id is not null
    on conflict (object_id, inbox) where object_id is not null do nothing;
  else
    -- A server that got no Create may have found the piece by itself: it gets changes too.
    insert into app.fediverse_deliveries as d (object_id, inbox, host, has, activity_id, due_at)
    select activity.object_id, i, app.host_of(i), case when activity.kind = 'create' then 'nothing' else 'something' end,
           activity.id, moment
      from unnest(inboxes) i
     -- A Delete may have been sent since the inboxes were read: nothing is left to delete then.
     where activity.kind <> 'delete'
        or exists (select from app.fediverse_deliveries e where e.object_id = activity.object_id and e.inbox = i)
    -- What is under way goes on, and this follows; so it does when the last one is tried again later.
    on conflict (object_id, inbox) where object_id is not null do update set
      activity_id = excluded.activity_id, due_at = coalesce(d.due_at, excluded.due_at),
      attempts = case when d.due_at is null then 0 else d.attempts end
     -- Otherwise every attempt had this change already.
     where d.claimed_at is null or d.claimed_at < activity.created_at;
  end if;
end
$$;

revoke all on function app.order_fediverse_deliveries(uuid, text[]) from public;
