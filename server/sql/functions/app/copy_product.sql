set local role svc_publisher;

create or replace function app.copy_product(p_product app.products, p_slug text, p_first_at timestamptz, p_name_folded text,
                                 p_search_text text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  shown uuid[];
begin
  insert into pub.products (id, author_id, slug, name, summary, description, price, currency, category, image, image_alt,
                            image_width, image_height, payment_url, related, position, listed_at, updated_at,
                            name_folded, search_text)
  select p_product.id, p_product.writer_id, p_slug, p_product.name, p_product.summary, p_product.description,
         p_product.price, p_product.currency, p_product.category, m.hash, p_product.image_alt, m.width, m.height,
         p_product.payment_url,
         array(select r.id from unnest(p_product.related) with ordinality r(id, place)
                 join pub.pieces p on p.id = r.id and p.author_id = p_product.writer_id order by r.place),
         p_product.position, p_first_at, date_trunc('milliseconds', clock_timestamp()), p_name_folded, p_search_text
    from (values (1)) one left join app.media m on m.hash = p_product.image and m.writer_id = p_product.writer_id
  on conflict (id) do update set
    name = excluded.name, summary = excluded.summary, description = excluded.description, price = excluded.price,
    currency = excluded.currency, category = excluded.category, image = excluded.image, image_alt = excluded.image_alt,
    image_width = excluded.image_width, image_height = excluded.image_height, payment_url = excluded.payment_url,
    related = excluded.related, updated_at = excluded.updated_at, name_folded = excluded.name_folded,
    search_text = excluded.search_text
  returning related into shown;
  update app.products set listed_related = shown where id = p_product.id;
end
$$;

revoke all on function app.copy_product(app.products, text, timestamp with time zone, text, text) from public;
