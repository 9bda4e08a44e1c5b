set local role svc_publisher;

create or replace function app.desk_unpublish(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'unpublish', array['approved']);
  perform app.hide_piece(piece);
  perform app.move_piece(piece, session, 'unpublish', 'draft', null);
end
$$;

revoke all on function app.desk_unpublish(uuid, bytea) from public;
grant execute on function app.desk_unpublish(uuid, bytea) to svc_desk;
