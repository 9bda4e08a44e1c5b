set local role svc_publisher;

-- They are not sent any more, and what was to be sent is not kept. An attempt that is under way ends nothing.
create or replace function app.drop_deliveries(p_deliveries uuid[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set
      state = 'cancelled', body = null, ended_at = coalesce(ended_at, clock_timestamp()), lease_token = null, leased_at = null
     where id = any (p_deliveries)
  $$;

revoke all on function app.drop_deliveries(uuid[]) from public;
