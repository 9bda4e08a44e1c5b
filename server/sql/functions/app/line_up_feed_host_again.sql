set local role svc_owner;

-- When a host is looked at next: when its rest is over and a call is due, or when a lease expires if it takes no more at once.
create or replace function app.line_up_feed_host_again(p_host text) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.feed_hosts h set ready_at = (
      select case when count(*) filter (where c.is_leased) >= h.width then min(c.due_at) filter (where c.is_leased)
                  else least(case when count(*) filter (where not c.is_leased) > 0
                                  then greatest(min(c.due_at) filter (where not c.is_leased), h.rests_until) end,
                             min(c.due_at) filter (where c.is_leased)) end
        from (select s.due_at, true as is_leased from app.feed_subscriptions s
               where s.host = p_host and s.lease_token is not null
              union all
              select v.due_at, true from app.feed_verifications v where v.host = p_host and v.lease_token is not null
              union all
              (select s.due_at, false from app.feed_subscriptions s
                where s.host = p_host and s.due_at is not null and s.lease_token is null order by s.due_at limit 1)
              union all
              (select v.due_at, false from app.feed_verifications v
                where v.host = p_host and v.lease_token is null order by v.due_at limit 1)) as c)
     where h.host = p_host
  $$;

revoke all on function app.line_up_feed_host_again(text) from public;
