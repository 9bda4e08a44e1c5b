set local role svc_publisher;

-- The revision the writer was shown, from this state; or what is the matter.
create or replace function app.demand_product(p_product app.products, p_from text, p_revision integer) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_product.status is distinct from p_from then
    raise exception '%', case p_from when 'draft' then 'error.already_listed' else 'error.not_listed' end
      using errcode = 'SF409';
  end if;
  if p_product.revision is distinct from p_revision then
    raise exception 'error.listing_changed' using errcode = 'SF412';
  end if;
end
$$;

revoke all on function app.demand_product(app.products, text, integer) from public;
