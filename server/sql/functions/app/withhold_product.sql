set local role svc_publisher;

-- By the operator; without a reason it may be listed again, by its writer. Also of a listing that is not public at the
-- moment. Answers what to purge and the decision to tell of, if there is one; no row where no listing has the address.
create or replace function app.withhold_product(p_slug text, p_reason text, p_category text default 'other')
  returns table (product_id uuid, seller text, decision uuid)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  product app.products;
begin
  perform app.lock_writer(p.writer_id) from app.products p where p.slug = p_slug;
  select p.* into product from app.products p where p.slug = p_slug for update;
  if product.id is null then
    return;
  end if;
  if product.withheld is distinct from p_reason then
    if p_reason is not null then
      decision := app.keep_withheld(product, null, p_category, p_reason);
    else
      update app.products set withheld = null where id = product.id;
      perform app.trail_product(product, null, 'allow', 'draft');
      update app.decisions d set outcome = 'reversed', answer = 'The operator allowed it again.',
                                 decided_at = date_trunc('milliseconds', clock_timestamp())
       where d.product_id = product.id and d.outcome is null;
    end if;
  end if;
  product_id := product.id;
  select w.slug into seller from app.writers w where w.id = product.writer_id;
  return next;
end
$$;

revoke all on function app.withhold_product(text, text, text) from public;
grant execute on function app.withhold_product(text, text, text) to svc_owner;
