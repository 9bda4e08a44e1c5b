set local role svc_publisher;

create or replace function app.hide_piece(p_piece app.pieces) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.piece_contents where piece_id = p_piece.id;
  delete from pub.piece_texts where piece_id = p_piece.id;
  delete from pub.pieces where id = p_piece.id;
  update pub.authors set pieces_count = pieces_count - 1,
                         last_published_at = app.last_published(id)
   where id = p_piece.writer_id;
end
$$;

revoke all on function app.hide_piece(app.pieces) from public;
