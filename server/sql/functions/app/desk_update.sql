set local role svc_publisher;

create or replace function app.desk_update(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'update', array['approved']);
  if piece.review_required then
    raise exception 'error.review_required.update' using errcode = 'SF409';
  end if;
  perform app.demand_headline(piece);
  perform app.use_nonce(piece, session, p_nonce_hash, 'update');
  update pub.pieces set
    headline = piece.headline, sub = piece.sub, summary = p_rendering.summary, category = piece.category,
    tags = piece.tags, kind = piece.style, locale = piece.locale, external_url = piece.fields ->> 'external_url',
    modified_at = date_trunc('milliseconds', clock_timestamp()), headline_folded = p_rendering.headline_folded,
    sub_folded = p_rendering.sub_folded, translation_of = app.original_of(piece),
    cover = app.cover_of(piece), meta = piece.fields -> 'meta'
   where id = piece.id;
  update pub.piece_contents set html = p_rendering.html, text = p_rendering.text where piece_id = piece.id;
  update pub.piece_texts set category = piece.category, body = p_rendering.body_folded where piece_id = piece.id;
  perform app.move_piece(piece, session, 'update', 'approved', null);
end
$$;

revoke all on function app.desk_update(uuid, bytea, bytea, app.rendering) from public;
grant execute on function app.desk_update(uuid, bytea, bytea, app.rendering) to svc_desk;
