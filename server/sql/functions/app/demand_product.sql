set local role svc_publisher;

-- The revision the writer was shown, from this state; or what is the matter.
create or replace function app.demand_product(p_product app.products, p_from text, p_revision integer) returns void
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if p_product.status is distinct from p_from then
    raise exception '%', case p_from
      when 'draft' then 'It is listed already. Update it instead.'
      else 'It is not listed. List it first.'
    end using errcode = 'SF409';
  end if;
  if p_product.revision is distinct from p_revision then
    raise exception 'It has changed since you looked at it: it is at revision %. Look at it once more.', p_product.revision
      using errcode = 'SF412';
  end if;
end
$$;

revoke all on function app.demand_product(app.products, text, integer) from public;
