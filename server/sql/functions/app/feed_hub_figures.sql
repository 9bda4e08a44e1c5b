set local role svc_owner;

-- Of feed subscriptions: how many there are, how many are to be verified or sent and for how long the oldest of those has been
-- due, in seconds.
create or replace function app.feed_hub_figures()
  returns table (subscriptions bigint, verify bigint, distribute bigint, changes bigint, longest double precision)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select (select count(*) from app.feed_subscriptions s where s.expires_at > statement_timestamp()),
           (select count(*) from app.feed_verifications),
           (select count(*) from app.feed_subscriptions s where s.due_at is not null),
           (select count(*) from app.feed_changes),
           (select coalesce(greatest(extract(epoch from statement_timestamp() - min(h.ready_at)), 0), 0)::double precision
              from app.feed_hosts h)
  $$;

revoke all on function app.feed_hub_figures() from public;
grant execute on function app.feed_hub_figures() to svc_worker;
