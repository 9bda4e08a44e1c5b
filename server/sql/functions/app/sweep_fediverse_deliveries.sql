set local role svc_owner;

-- Activities that nobody waits for, actors that have ended once all servers know or a week has passed, and hosts that nothing is
-- known of any more. Returns how many activities it deleted, at most so many.
create or replace function app.sweep_fediverse_deliveries(p_most integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
  ended  integer;
begin
  delete from app.fediverse_activities a
   where a.id in (select e.id from app.fediverse_activities e
                   where e.is_expanded and not exists (select from app.fediverse_deliveries d where d.activity_id = e.id)
                   limit p_most for update skip locked);
  get diagnostics ended = row_count;
  delete from app.fediverse_actors a
   where a.ended_at <= moment
     and (a.ended_at <= moment - interval '7 days'
          or not exists (select from app.fediverse_changes) and not exists (
               select from app.fediverse_activities b
                where b.actor_id = a.id and (not b.is_expanded or exists (
                        select from app.fediverse_deliveries d where d.activity_id = b.id))));
  delete from app.fediverse_hosts h
   where h.host in (select q.host from app.fediverse_hosts q
                     where q.ready_at is null and coalesce(q.rests_until <= moment, true)
                       and not exists (select from app.fediverse_deliveries d where d.host = q.host)
                       and not exists (select from app.fediverse_followers f where f.server = q.host)
                     for update skip locked);
  return ended;
end
$$;

revoke all on function app.sweep_fediverse_deliveries(integer) from public;
grant execute on function app.sweep_fediverse_deliveries(integer) to svc_worker;
