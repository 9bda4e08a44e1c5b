set local role svc_publisher;

-- What publishing must have signed, in the transaction that ordered it.
create or replace function app.receipt_to_sign(p_piece uuid) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select r.receipt from pub.receipts r where r.piece_id = p_piece and r.signature is null $$;

revoke all on function app.receipt_to_sign(uuid) from public;
grant execute on function app.receipt_to_sign(uuid) to svc_desk, svc_worker;
