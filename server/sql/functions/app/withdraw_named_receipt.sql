set local role svc_publisher;

-- A receipt cannot be changed: one that names a co-author who no longer agrees is not public any more, until Update signs
-- the next.
create or replace function app.withdraw_named_receipt() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.receipts r where r.piece_id = new.id and not app.names_only(r.receipt, new.co_authors);
  return null;
end
$$;

revoke all on function app.withdraw_named_receipt() from public;
grant execute on function app.withdraw_named_receipt() to svc_owner;
