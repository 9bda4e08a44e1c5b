set local role svc_publisher;

-- The last part of its address: the one it has, or the one it would have if it were published now with `p_slug`.
create or replace function app.slug_of_piece(p_piece uuid, p_session_hash bytea, p_slug text) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.deleted_at is null;
  perform app.writer_session(piece, p_session_hash);
  if piece.slug is not null or p_slug is null then
    return piece.slug;
  end if;
  return app.free_piece_slug(piece.writer_id, p_slug);
end
$$;

revoke all on function app.slug_of_piece(uuid, bytea, text) from public;
grant execute on function app.slug_of_piece(uuid, bytea, text) to svc_desk;
