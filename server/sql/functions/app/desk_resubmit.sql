set local role svc_publisher;

create or replace function app.desk_resubmit(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
begin
  perform app.demand_status(piece, 'resubmit', array['changes_requested']);
  perform app.demand_headline(piece);
  perform app.original_of(piece);
  perform app.use_nonce(piece, session, p_nonce_hash, 'resubmit');
  perform app.move_piece(piece, session, 'resubmit', 'pending', null);
end
$$;

revoke all on function app.desk_resubmit(uuid, bytea, bytea) from public;
grant execute on function app.desk_resubmit(uuid, bytea, bytea) to svc_desk;
