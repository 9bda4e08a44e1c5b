set local role svc_publisher;

create or replace function app.desk_request_changes(p_piece uuid, p_session_hash bytea, p_note text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.moderator_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'request_changes', array['pending']);
  perform app.move_piece(piece, session, 'request_changes', 'changes_requested', p_note);
end
$$;

revoke all on function app.desk_request_changes(uuid, bytea, text) from public;
grant execute on function app.desk_request_changes(uuid, bytea, text) to svc_desk;
