set local role svc_publisher;

create or replace function app.desk_reject(p_piece uuid, p_session_hash bytea, p_category text, p_facts text) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece    app.pieces := app.locked_piece(p_piece);
  session  app.sessions := app.moderator_session(piece, p_session_hash);
  decision uuid;
begin
  perform app.demand_status(piece, 'reject', array['pending']);
  perform app.move_piece(piece, session, 'reject', 'rejected', p_facts);
  insert into app.decisions (act, piece_id, writer_id, moderator_id, category, facts, by_report, headline, to_status, kept)
  values ('reject', piece.id, piece.writer_id, session.account_id, p_category, p_facts, false, piece.headline, 'rejected',
          jsonb_build_object('sub', piece.sub, 'body_md', piece.body_md))
  returning id into decision;
  return decision;
end
$$;

revoke all on function app.desk_reject(uuid, bytea, text, text) from public;
grant execute on function app.desk_reject(uuid, bytea, text, text) to svc_desk;
