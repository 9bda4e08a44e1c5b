set local role svc_publisher;

-- What is not under way waits for its webhook.
create or replace function app.hold_deliveries(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set state = 'held', held_at = clock_timestamp()
     where writer_id = p_writer and state = 'pending' and event <> 'webhook.ping' and lease_token is null
  $$;

revoke all on function app.hold_deliveries(uuid) from public;
