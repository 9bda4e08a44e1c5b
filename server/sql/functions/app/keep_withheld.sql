set local role svc_publisher;

create or replace function app.keep_withheld(p_product app.products, p_session app.sessions, p_category text, p_facts text)
  returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  decision uuid;
begin
  insert into app.decisions (act, product_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  values ('withhold', p_product.id, p_product.writer_id, p_session.account_id, p_category, p_facts,
          app.is_reported('listing', p_product.id),
          coalesce((select p.name from pub.products p where p.id = p_product.id), p_product.name), 'draft',
          (select jsonb_build_object('product', to_jsonb(p), 'revision', p_product.listed_revision)
             from pub.products p where p.id = p_product.id))
  returning id into decision;
  delete from pub.products where id = p_product.id;
  update app.products set status = 'draft', listed_revision = null, withheld = p_facts where id = p_product.id;
  perform app.trail_product(p_product, p_session, 'withhold', 'draft', p_facts);
  return decision;
end
$$;

revoke all on function app.keep_withheld(app.products, app.sessions, text, text) from public;
