set local role svc_owner;

-- What the oldest change of a piece means for other servers; when there is none, the next deliveries of the oldest activity.
-- False if nothing is left to do.
create or replace function app.expand_fediverse_changes(p_most integer) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  change   app.fediverse_changes;
  activity app.fediverse_activities;
  inboxes  text[];
begin
  -- One worker at a time: what it decides depends on what it decided last about that piece.
  select c.* into change from app.fediverse_changes c order by c.id limit 1 for update;
  if found then
    delete from app.fediverse_changes c where c.id = change.id;
    perform app.order_piece_activity(change.piece_id, change.is_new);
    return true;
  end if;

  select a.* into activity from app.fediverse_activities a
   where not a.is_expanded order by a.created_at limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  inboxes := array(
    select i.inbox from (
        select coalesce(f.shared_inbox, f.inbox) collate "C" as inbox from app.fediverse_followers f
         where f.actor_id = activity.actor_id and (activity.kind <> 'delete' or activity.object_id is null)
        union
        select d.inbox from app.fediverse_deliveries d
         where d.object_id = activity.object_id and activity.kind in ('update', 'delete')) i
     where activity.through is null or i.inbox > activity.through
     order by i.inbox limit p_most);
  perform app.order_fediverse_deliveries(activity.id, inboxes);
  update app.fediverse_activities a set
    through = inboxes[cardinality(inboxes)], is_expanded = cardinality(inboxes) < p_most
   where a.id = activity.id;
  return true;
end
$$;

revoke all on function app.expand_fediverse_changes(integer) from public;
grant execute on function app.expand_fediverse_changes(integer) to svc_worker;
