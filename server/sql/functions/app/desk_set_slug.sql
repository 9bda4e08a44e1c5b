set local role svc_publisher;

-- Chooses the last part of the address before the first publication; null leaves it to the headline again. Where this
-- writer has another piece there it ends in -2.
create or replace function app.desk_set_slug(p_piece uuid, p_session_hash bytea, p_slug text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
begin
  perform app.writer_session(piece, p_session_hash);
  if piece.first_published_at is not null then
    raise exception 'error.address_fixed' using errcode = 'SF409';
  end if;
  perform app.demand_status(piece, 'edit', array['draft', 'changes_requested']);
  -- So that it may have its own again.
  update app.pieces set slug = null where id = piece.id;
  if p_slug is not null then
    update app.pieces set slug = app.free_piece_slug(piece.writer_id, p_slug) where id = piece.id;
  end if;
end
$$;

revoke all on function app.desk_set_slug(uuid, bytea, text) from public;
grant execute on function app.desk_set_slug(uuid, bytea, text) to svc_desk;
