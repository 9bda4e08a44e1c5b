set local role svc_publisher;

-- What publishing must write a body for, in the transaction that ordered it; no row where there is nothing to deliver.
create or replace function app.delivery_to_fill(p_piece uuid) returns bigint
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.sequence from app.deliveries d
     where d.piece_id = p_piece and d.body is null and d.state in ('pending', 'held')
  $$;

revoke all on function app.delivery_to_fill(uuid) from public;
grant execute on function app.delivery_to_fill(uuid) to svc_desk, svc_worker, svc_owner;
