set local role svc_publisher;

-- Every move ends here: the new status, and a row of the trail.
create or replace function app.move_piece(p_piece app.pieces, p_session app.sessions, p_act text, p_to text, p_note text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.pieces set
    editor_status = p_to,
    submitted_at = case when p_to = 'pending' then date_trunc('milliseconds', clock_timestamp()) else submitted_at end
   where id = p_piece.id and editor_status <> p_to;
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  values (p_act, p_piece.id, p_piece.writer_id, p_session.account_id, p_session.id, p_piece.revision,
          p_piece.editor_status, p_to, p_note);
end
$$;

revoke all on function app.move_piece(app.pieces, app.sessions, text, text, text) from public;
