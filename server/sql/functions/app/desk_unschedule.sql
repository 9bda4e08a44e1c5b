set local role svc_publisher;

-- Takes the consent back; of one that is void, only the notice.
create or replace function app.desk_unschedule(p_piece uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
  gone    app.schedules;
begin
  delete from app.schedules where piece_id = piece.id returning * into gone;
  if gone.piece_id is null then
    raise exception 'error.not_scheduled' using errcode = 'SF409';
  end if;
  if gone.voided_at is null then
    perform app.move_piece(piece, session, 'unschedule', piece.editor_status, null);
  end if;
end
$$;

revoke all on function app.desk_unschedule(uuid, bytea) from public;
grant execute on function app.desk_unschedule(uuid, bytea) to svc_desk;
