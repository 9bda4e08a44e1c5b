set local role svc_publisher;

create or replace function app.desk_publish(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'publish', array['draft']);
  if piece.review_required then
    raise exception 'error.review_required.publish' using errcode = 'SF409';
  end if;
  perform app.use_nonce(piece, session, p_nonce_hash, 'publish');
  perform app.show_piece(piece, p_rendering);
  perform app.move_piece(piece, session, 'publish', 'approved', null);
end
$$;

revoke all on function app.desk_publish(uuid, bytea, bytea, app.rendering) from public;
grant execute on function app.desk_publish(uuid, bytea, bytea, app.rendering) to svc_desk;
