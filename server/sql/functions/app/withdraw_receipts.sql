set local role svc_publisher;

create or replace function app.withdraw_receipts() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.receipts r where r.piece_id in (select g.id from gone g);
  return null;
end
$$;

revoke all on function app.withdraw_receipts() from public;
grant execute on function app.withdraw_receipts() to svc_owner;
