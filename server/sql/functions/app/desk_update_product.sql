set local role svc_publisher;

create or replace function app.desk_update_product(p_product uuid, p_session_hash bytea, p_revision integer, p_name_folded text,
                                        p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.own_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  perform app.demand_product(product, 'listed', p_revision);
  update app.products set listed_revision = product.revision where id = product.id;
  perform app.copy_product(product, product.slug, product.first_listed_at, p_name_folded, p_search_text);
  perform app.trail_product(product, own.session, 'update', 'listed');
end
$$;

revoke all on function app.desk_update_product(uuid, bytea, integer, text, text) from public;
grant execute on function app.desk_update_product(uuid, bytea, integer, text, text) to svc_desk;
