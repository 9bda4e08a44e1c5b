set local role svc_publisher;

create or replace function app.desk_withdraw(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'withdraw', array['pending', 'changes_requested']);
  perform app.move_piece(piece, session, 'withdraw', 'draft', null);
end
$$;

revoke all on function app.desk_withdraw(uuid, bytea) from public;
grant execute on function app.desk_withdraw(uuid, bytea) to svc_desk;
