set local role svc_publisher;

create or replace function app.desk_approve(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'approve', array['pending']);
  perform app.use_nonce(piece, session, p_nonce_hash, 'approve');
  perform app.show_piece(piece, p_rendering);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'approve', 'approved', null);
end
$$;

revoke all on function app.desk_approve(uuid, bytea, bytea, app.rendering) from public;
grant execute on function app.desk_approve(uuid, bytea, bytea, app.rendering) to svc_desk;
