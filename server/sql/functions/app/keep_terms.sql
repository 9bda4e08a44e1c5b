set local role svc_publisher;

-- What a public piece is compared by.
create or replace function app.keep_terms(p_piece uuid, p_terms text[]) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ update pub.related r set terms = p_terms where r.piece_id = p_piece and r.terms <> p_terms $$;

revoke all on function app.keep_terms(uuid, text[]) from public;
grant execute on function app.keep_terms(uuid, text[]) to svc_worker;
