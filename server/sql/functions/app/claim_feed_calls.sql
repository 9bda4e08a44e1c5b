set local role svc_owner;

-- At most `p_most` calls to make now, each with a lease, to hosts that fail or to those that do not: verifications first, then
-- feeds. A host gets no more at once than it takes.
create or replace function app.claim_feed_calls(p_most integer, p_doubted boolean)
  returns table (id uuid, lease_token uuid, mode text, key bytea, topic text, callback text, secret bytea,
                 lease_seconds integer, changes bigint, sent bytea, attempts smallint, doubted boolean,
                 late double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  lease     constant interval := '45 seconds';
  moment    timestamptz := clock_timestamp();
  left_over integer := p_most;
  server    app.feed_hosts;
  free      integer;
  taken     integer;
begin
  for server in
    select h.* from app.feed_hosts h
     where h.ready_at <= moment and (h.failures > 0) = p_doubted
     order by h.ready_at limit p_most for no key update skip locked
  loop
    exit when left_over <= 0;
    -- Of a worker that has ended.
    update app.feed_subscriptions s set lease_token = null
     where s.host = server.host and s.lease_token is not null and s.due_at <= moment;
    update app.feed_verifications v set lease_token = null
     where v.host = server.host and v.lease_token is not null and v.due_at <= moment;
    delete from app.feed_subscriptions s
     where s.host = server.host and s.due_at <= moment and s.expires_at <= moment;
    free := least(left_over, server.width
      - (select count(*) from app.feed_subscriptions s where s.host = server.host and s.lease_token is not null)
      - (select count(*) from app.feed_verifications v where v.host = server.host and v.lease_token is not null));
    if free > 0 and coalesce(server.rests_until <= moment, true) then
      -- Found once, as in app.claim_reader_emails.
      return query
        with next as materialized (
          select n.id, n.due_at from app.feed_verifications n
           where n.host = server.host and n.lease_token is null and n.due_at <= moment
           order by n.due_at limit free
        ), claimed as (
          update app.feed_verifications v set
            lease_token = gen_random_uuid(), due_at = moment + lease, attempts = v.attempts + 1
           where v.id = any (array(select n.id from next n))
          returning v.*
        )
        select c.id, c.lease_token, c.mode, c.key, c.topic, c.callback, c.secret, c.lease_seconds, null::bigint, null::bytea,
               c.attempts, server.failures > 0, extract(epoch from moment - n.due_at)::double precision
          from claimed c join next n on n.id = c.id;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
      return query
        with next as materialized (
          select n.id, n.due_at from app.feed_subscriptions n
           where n.host = server.host and n.lease_token is null and n.due_at <= moment
           order by n.due_at limit free - taken
        ), claimed as (
          update app.feed_subscriptions s set
            lease_token = gen_random_uuid(), due_at = moment + lease, attempts = s.attempts + 1
           where s.id = any (array(select n.id from next n))
          returning s.*
        )
        select c.id, c.lease_token, 'distribute'::text, c.key, c.topic, c.callback, c.secret, null::integer, c.changes,
               c.sent, c.attempts, server.failures > 0, extract(epoch from moment - n.due_at)::double precision
          from claimed c join next n on n.id = c.id;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
    end if;
    perform app.line_up_feed_host_again(server.host);
  end loop;
end
$$;

revoke all on function app.claim_feed_calls(integer, boolean) from public;
grant execute on function app.claim_feed_calls(integer, boolean) to svc_worker;
