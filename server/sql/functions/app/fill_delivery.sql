set local role svc_publisher;

create or replace function app.fill_delivery(p_piece uuid, p_body bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set body = p_body
     where piece_id = p_piece and body is null and state in ('pending', 'held')
  $$;

revoke all on function app.fill_delivery(uuid, bytea) from public;
grant execute on function app.fill_delivery(uuid, bytea) to svc_desk, svc_worker, svc_owner;
