set local role svc_publisher;

-- Answers with the decision.
create or replace function app.desk_take_down(p_piece uuid, p_session_hash bytea, p_to text, p_category text, p_facts text)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece    app.pieces := app.locked_piece(p_piece);
  session  app.sessions := app.moderator_session(piece, p_session_hash);
  decision uuid;
begin
  perform app.demand_status(piece, 'take_down', array['approved']);
  if p_to <> all (array['changes_requested', 'rejected']) then
    raise exception 'error.take_down_outcome' using errcode = 'SF400';
  end if;
  insert into app.decisions (act, piece_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  select 'take_down', piece.id, piece.writer_id, session.account_id, p_category, p_facts,
         app.is_reported('piece', piece.id), p.headline, p_to,
         jsonb_build_object(
           'piece', to_jsonb(p), 'contents', to_jsonb(c), 'text', to_jsonb(t),
           'receipt', (select to_jsonb(r) from pub.receipts r where r.piece_id = p.id),
           'revision', app.shown_revision(p.id), 'review_required', piece.review_required)
    from pub.pieces p join pub.piece_contents c on c.piece_id = p.id join pub.piece_texts t on t.piece_id = p.id
   where p.id = piece.id
  returning id into decision;
  perform app.hide_piece(piece);
  update app.pieces set review_required = true where id = piece.id;
  perform app.move_piece(piece, session, 'take_down', p_to, p_facts);
  return decision;
end
$$;

revoke all on function app.desk_take_down(uuid, bytea, text, text, text) from public;
grant execute on function app.desk_take_down(uuid, bytea, text, text, text) to svc_desk;
