set local role svc_publisher;

create or replace function app.desk_withhold_product(p_product uuid, p_session_hash bytea, p_category text, p_facts text)
  returns table (decision uuid, product_slug text, seller text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  own     record := app.moderated_product(p_product, p_session_hash);
  product app.products := own.product;
begin
  if product.status <> 'listed' then
    raise exception 'error.listing_not_found' using errcode = 'SF404';
  end if;
  return query
    select app.keep_withheld(product, own.session, p_category, p_facts), product.slug, w.slug
      from app.writers w where w.id = product.writer_id;
end
$$;

revoke all on function app.desk_withhold_product(uuid, bytea, text, text) from public;
grant execute on function app.desk_withhold_product(uuid, bytea, text, text) to svc_desk;
