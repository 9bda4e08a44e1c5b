set local role svc_publisher;

create or replace function app.desk_list_product(p_product uuid, p_session_hash bytea, p_revision integer, p_slug text,
                                      p_name_folded text, p_search_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own      record := app.own_product(p_product, p_session_hash);
  product  app.products := own.product;
  first_at timestamptz := coalesce(product.first_listed_at, date_trunc('milliseconds', clock_timestamp()));
  address  text;
begin
  perform app.demand_product(product, 'draft', p_revision);
  if product.withheld is not null then
    raise exception 'error.listing_withheld'
      using errcode = 'SF409', detail = json_build_object('reason', product.withheld)::text;
  end if;
  address := coalesce(product.slug, app.keep_product_slug(product, p_slug));
  update app.products set status = 'listed', slug = address, first_listed_at = first_at, listed_revision = product.revision
   where id = product.id;
  perform app.show_author(product.writer_id);
  perform app.copy_product(product, address, first_at, p_name_folded, p_search_text);
  perform app.trail_product(product, own.session, 'list', 'listed');
end
$$;

revoke all on function app.desk_list_product(uuid, bytea, integer, text, text, text) from public;
grant execute on function app.desk_list_product(uuid, bytea, integer, text, text, text) to svc_desk;
