set local role svc_owner;

-- When a host is looked at next: when its rest is over and a delivery is due, or when a lease expires if it takes no more at
-- once.
create or replace function app.line_up_fediverse_host_again(p_host text) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.fediverse_hosts h set ready_at = (
      select case when leased.count >= h.width then leased.due_at
                  else least(greatest(waiting.due_at, case when waiting.due_at is not null then h.rests_until end),
                             leased.due_at) end
        from (select count(*), min(d.due_at) as due_at from app.fediverse_deliveries d
               where d.host = p_host and d.lease_token is not null) leased,
             (select min(d.due_at) as due_at from app.fediverse_deliveries d
               where d.host = p_host and d.due_at is not null and d.lease_token is null) waiting)
     where h.host = p_host
  $$;

revoke all on function app.line_up_fediverse_host_again(text) from public;
