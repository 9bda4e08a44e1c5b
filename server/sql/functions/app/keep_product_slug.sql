set local role svc_publisher;

-- "on-tea", or "on-tea-2" where the site has that already; beyond the twentieth, random characters. A name is taken
-- for good, so nobody takes many: the writer is locked, and what they deleted since counts too.
create or replace function app.keep_product_slug(p_product app.products, p_slug text) returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  candidate text := p_slug;
  copy      integer := 1;
begin
  if (select count(*) from app.product_slugs s
       where s.writer_id = p_product.writer_id and s.kept_at > now() - interval '24 hours') >= :listing_addresses_per_day then
    raise exception 'error.listings_per_day' using errcode = 'SF419', detail = '{"limit":50}';
  end if;
  loop
    insert into app.product_slugs (slug, product_id, writer_id) values (candidate, p_product.id, p_product.writer_id)
      on conflict do nothing;
    if found then
      return candidate;
    end if;
    copy := copy + 1;
    candidate := p_slug || '-' || case when copy <= 20 then copy::text else left(gen_random_uuid()::text, 8) end;
  end loop;
end
$$;

revoke all on function app.keep_product_slug(app.products, text) from public;
