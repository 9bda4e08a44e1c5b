set local role svc_publisher;

-- Every act on the trash ends here. The status stays what it was; the act says what happened.
create or replace function app.note_deletion(p_act text, p_piece app.pieces, p_key uuid, p_account uuid, p_session uuid)
  returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.audit (act, piece_id, writer_id, account_id, session_id, key_id, revision, from_status, to_status)
    values (p_act, p_piece.id, p_piece.writer_id, p_account, p_session, p_key, p_piece.revision,
            p_piece.editor_status, p_piece.editor_status)
  $$;

revoke all on function app.note_deletion(text, app.pieces, uuid, uuid, uuid) from public;
