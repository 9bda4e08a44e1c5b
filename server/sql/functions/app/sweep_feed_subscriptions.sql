set local role svc_owner;

-- Subscriptions whose lease is over, at most so many; and hosts that nothing is known of any more. Returns how many it ended.
create or replace function app.sweep_feed_subscriptions(p_most integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment timestamptz := clock_timestamp();
  ended  integer;
begin
  delete from app.feed_subscriptions s
   where s.id in (select e.id from app.feed_subscriptions e where e.expires_at <= moment limit p_most for update skip locked);
  get diagnostics ended = row_count;
  delete from app.feed_hosts h
   where h.host in (select q.host from app.feed_hosts q
                     where q.ready_at is null and coalesce(q.rests_until <= moment, true)
                       and not exists (select from app.feed_subscriptions s where s.host = q.host)
                     for update skip locked);
  return ended;
end
$$;

revoke all on function app.sweep_feed_subscriptions(integer) from public;
grant execute on function app.sweep_feed_subscriptions(integer) to svc_worker;
