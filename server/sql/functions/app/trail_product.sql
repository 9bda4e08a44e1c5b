set local role svc_publisher;

create or replace function app.trail_product(p_product app.products, p_session app.sessions, p_act text, p_to text,
                                  p_note text default null) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status,
                                   note)
    values (p_act, p_product.id, p_product.writer_id, p_session.account_id, p_session.id, p_product.revision,
            p_product.status, p_to, p_note)
  $$;

revoke all on function app.trail_product(app.products, app.sessions, text, text, text) from public;
