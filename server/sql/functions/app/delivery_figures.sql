set local role svc_publisher;

-- Of those who answer and of those who fail: how many webhooks are queued now, and how many will later; how many attempts
-- are under way; and for how many seconds the first in line has stood there. A webhook that rests, or has as many attempts
-- under way as it may, is not in line: what waits for its own server is nobody else's fault.
-- It reads webhooks and leases, never all that waits: monitors ask every few seconds.
create or replace function app.delivery_figures()
  returns table (line text, ready bigint, later bigint, under_way bigint, longest double precision)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select l.line, h.ready, h.later, u.under_way,
           coalesce(extract(epoch from clock_timestamp() - h.first), 0)::double precision
      from (values ('answering', false), ('failing', true)) as l (line, fails)
           cross join lateral (
             select count(*) filter (where w.ready_at <= clock_timestamp()) as ready,
                    count(*) filter (where w.ready_at > clock_timestamp()) as later,
                    min(w.ready_at) filter (where w.ready_at <= clock_timestamp()) as first
               from app.webhooks w where w.ready_at is not null and (w.failures > 0) = l.fails) as h
           cross join lateral (
             select count(*) as under_way from app.deliveries d join app.webhooks w using (writer_id)
              where d.lease_token is not null and (w.failures > 0) = l.fails) as u
     order by l.line
  $$;

revoke all on function app.delivery_figures() from public;
grant execute on function app.delivery_figures() to svc_owner, svc_worker;
