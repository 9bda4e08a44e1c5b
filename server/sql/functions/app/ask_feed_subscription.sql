set local role svc_owner;

-- A program asks that a callback be subscribed to a feed, or no longer: nothing changes before the callback confirms it.
-- Returns `accepted`, or which limit is reached: `network`, `host` or `feed`.
create or replace function app.ask_feed_subscription(
    p_key bytea, p_mode text, p_topic text, p_subject text, p_callback text, p_host text, p_secret bytea,
    p_lease_seconds integer, p_network text) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  today   date := (moment at time zone 'UTC')::date;
  -- Counted apart from the forms of readers who follow by email.
  network bytea := app.reporter_hash('feeds ' || p_network);
  asked   integer;
  known   boolean := exists (select from app.feed_subscriptions s where s.key = p_key);
begin
  insert into app.follow_requests as r (day, network, count) values (today, network, 1)
  on conflict on constraint follow_requests_pkey do update set count = r.count + 1
  returning r.count into asked;
  if asked > :feed_requests_per_network then
    return 'network';
  end if;
  if not exists (select from app.feed_verifications v where v.key = p_key) then
    -- There is nothing to end, and nobody to ask.
    if p_mode = 'unsubscribe' and not known then
      return 'accepted';
    end if;
    if (select count(*) from app.feed_verifications v where v.host = p_host) >= :feed_verifications_per_host then
      return 'host';
    end if;
  end if;
  if p_mode = 'subscribe' and not known then
    if (select count(*) from app.feed_subscriptions s where s.host = p_host) >= :feed_subscriptions_per_host then
      return 'host';
    end if;
    if (select count(*) from app.feed_subscriptions s where s.subject = p_subject and s.topic = p_topic)
       >= :feed_subscriptions_per_feed then
      return 'feed';
    end if;
  end if;

  perform app.line_up_feed_host(p_host, moment);
  insert into app.feed_verifications (key, mode, topic, subject, callback, host, secret, lease_seconds, due_at)
  values (p_key, p_mode, p_topic, p_subject, p_callback, p_host, p_secret,
          case when p_mode = 'subscribe'
               then least(greatest(coalesce(p_lease_seconds, extract(epoch from interval :'feed_lease')),
                                   extract(epoch from interval :'shortest_feed_lease')),
                          extract(epoch from interval :'longest_feed_lease')) end, moment)
  on conflict (key) do update set
    -- What is under way for the former request changes nothing any more.
    id = gen_random_uuid(), mode = excluded.mode, subject = excluded.subject, secret = excluded.secret,
    lease_seconds = excluded.lease_seconds, due_at = excluded.due_at, attempts = 0, lease_token = null;
  return 'accepted';
end
$$;

revoke all on function app.ask_feed_subscription(bytea, text, text, text, text, text, bytea, integer, text) from public;
grant execute on function app.ask_feed_subscription(bytea, text, text, text, text, text, bytea, integer, text) to svc_desk;
