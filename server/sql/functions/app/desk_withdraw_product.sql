set local role svc_publisher;

create or replace function app.desk_withdraw_product(p_product uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.own_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  perform app.demand_product(product, 'listed', product.revision);
  delete from pub.products where id = product.id;
  update app.products set status = 'draft', listed_revision = null where id = product.id;
  perform app.trail_product(product, own.session, 'withdraw', 'draft');
end
$$;

revoke all on function app.desk_withdraw_product(uuid, bytea) from public;
grant execute on function app.desk_withdraw_product(uuid, bytea) to svc_desk;
