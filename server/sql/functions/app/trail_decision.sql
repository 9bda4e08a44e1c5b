set local role svc_publisher;

-- An act of the trail that moves nothing.
create or replace function app.trail_decision(p_decision app.decisions, p_session app.sessions, p_act text, p_note text) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  select p_act, p.id, p.writer_id, p_session.account_id, p_session.id, app.shown_revision(p.id), p.editor_status,
         p.editor_status, p_note
    from app.pieces p where p.id = p_decision.piece_id;
  insert into app.product_audit (act, product_id, writer_id, account_id, session_id, revision, from_status, to_status, note)
  select p_act, p.id, p.writer_id, p_session.account_id, p_session.id, p.revision, p.status, p.status, p_note
    from app.products p where p.id = p_decision.product_id;
end
$$;

revoke all on function app.trail_decision(app.decisions, app.sessions, text, text) from public;
