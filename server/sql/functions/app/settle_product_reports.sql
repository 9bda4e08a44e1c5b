set local role svc_owner;

create or replace function app.settle_product_reports() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.reports r set settled_at = clock_timestamp(), outcome = 'taken_down'
   where r.product_id = new.id and r.settled_at is null;
  return null;
end
$$;

revoke all on function app.settle_product_reports() from public;
