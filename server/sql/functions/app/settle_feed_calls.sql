set local role svc_owner;

-- What became of calls, as a list of objects: id, token, outcome, is_up (whether the host takes calls; null if that is not
-- known) and, where they apply, wait in seconds, changes and a hash of what was sent, or read.
--   confirmed  the callback wants what was asked: it is subscribed, or no longer
--   refused    it does not, and whatever it was subscribed to stays
--   sent       the callback has the feed; or had it already, and nothing was sent
--   later      tried again after `wait`; given up without one, until the feed changes again
--   ended      the callback wants no more
--   gone       there is no such feed any more, which the callback is to learn
--   done       it has learnt so
-- A worker whose lease was taken over changes nothing.
create or replace function app.settle_feed_calls(p_met jsonb) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  met     record;
  current text;
  asked   app.feed_verifications;
  ended   app.feed_subscriptions;
begin
  for met in
    select m.*, coalesce(v.host, s.host) as host, v.id is not null as is_verification
      from jsonb_to_recordset(p_met) as m (id uuid, token uuid, outcome text, is_up boolean, wait double precision,
                                           changes bigint, sent text)
           left join app.feed_verifications v on v.id = m.id
           left join app.feed_subscriptions s on s.id = m.id
     where coalesce(v.host, s.host) is not null
     order by coalesce(v.host, s.host), m.id
  loop
    if met.host is distinct from current then
      if current is not null then
        perform app.line_up_feed_host_again(current);
      end if;
      current := met.host;
      perform app.line_up_feed_host(current, moment);
    end if;

    if met.is_verification then
      select v.* into asked from app.feed_verifications v where v.id = met.id and v.lease_token = met.token;
      continue when not found;
      if met.outcome = 'gone' then
        update app.feed_verifications v set mode = 'denied', secret = null, due_at = moment, attempts = 0, lease_token = null
         where v.id = asked.id;
      elsif met.outcome = 'later' and met.wait is not null then
        update app.feed_verifications v set due_at = moment + make_interval(secs => met.wait), lease_token = null
         where v.id = asked.id;
      else
        delete from app.feed_verifications v where v.id = asked.id;
        if met.outcome = 'confirmed' and asked.mode = 'unsubscribe' then
          delete from app.feed_subscriptions s where s.key = asked.key;
        elsif met.outcome = 'confirmed' then
          -- What has changed since its feed was read for the question is sent to it.
          insert into app.feed_subscriptions as s (key, topic, subject, callback, host, secret, expires_at, sent, due_at)
          values (asked.key, asked.topic, asked.subject, asked.callback, asked.host, asked.secret,
                  moment + make_interval(secs => asked.lease_seconds), decode(met.sent, 'hex'), moment)
          on conflict (key) do update set
            subject = excluded.subject, secret = excluded.secret, expires_at = excluded.expires_at,
            -- What is under way is signed with the former secret: it is sent again with the new one.
            due_at = case when s.lease_token is null then s.due_at else moment end, lease_token = null;
        end if;
      end if;
    else
      if met.outcome in ('ended', 'gone') then
        delete from app.feed_subscriptions s where s.id = met.id and s.lease_token = met.token returning s.* into ended;
        continue when not found;
        if met.outcome = 'gone' then
          insert into app.feed_verifications (key, mode, topic, callback, host, due_at)
          values (ended.key, 'denied', ended.topic, ended.callback, ended.host, moment)
          on conflict (key) do nothing;
        end if;
      else
        update app.feed_subscriptions s set
          sent = case when met.outcome = 'sent' then decode(met.sent, 'hex') else s.sent end,
          due_at = case when met.outcome = 'later' and met.wait is not null then moment + make_interval(secs => met.wait)
                        when s.changes <> met.changes then moment end,
          attempts = case when met.outcome = 'later' and met.wait is not null then s.attempts else 0 end,
          lease_token = null
         where s.id = met.id and s.lease_token = met.token;
        continue when not found;
      end if;
    end if;

    if met.is_up then
      update app.feed_hosts h set width = least(h.width + 1, 4), failures = 0, rests_until = null
       where h.host = current and (h.width < 4 or h.failures > 0 or h.rests_until is not null);
    elsif not met.is_up then
      update app.feed_hosts h set
        width = 1, failures = least(h.failures + 1, 20),
        rests_until = moment + least(interval '1 second' * (2 ^ least(h.failures, 10)), interval '15 minutes')
       where h.host = current and coalesce(h.rests_until <= moment, true);
    end if;
  end loop;
  if current is not null then
    perform app.line_up_feed_host_again(current);
  end if;
end
$$;

revoke all on function app.settle_feed_calls(jsonb) from public;
grant execute on function app.settle_feed_calls(jsonb) to svc_worker;
