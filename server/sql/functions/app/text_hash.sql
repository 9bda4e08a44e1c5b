set local role svc_publisher;

-- Of everything that publishing this piece would show: its text, its details, its cover and its address.
create or replace function app.text_hash(p_piece app.pieces) returns bytea
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select sha256(convert_to(jsonb_build_array(
      p_piece.id, p_piece.writer_id, p_piece.revision, p_piece.headline, p_piece.sub, p_piece.body_md, p_piece.category,
      p_piece.tags, p_piece.frame, p_piece.style, p_piece.locale, p_piece.fields, p_piece.slug)::text, 'UTF8'))
  $$;

revoke all on function app.text_hash(app.pieces) from public;
