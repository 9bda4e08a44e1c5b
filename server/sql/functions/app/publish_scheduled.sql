set local role svc_publisher;

-- Publishes what its writer consented to, once its time has come, if it is still exactly that and they may still publish.
-- Otherwise the consent is void: answers with the reason. Null where nothing is due. `p_review` and the numbers are the
-- site's settings, as for Publish.
create or replace function app.publish_scheduled(p_piece uuid, p_review text, p_review_first integer, p_first_day integer,
                                                 p_first_week integer) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces;
  due     app.schedules;
  problem text;
begin
  -- The account is locked before the piece, as by Publish.
  select app.account_problem(s.account_id, s.piece_id, p_review, p_review_first, p_first_day, p_first_week) into problem
    from app.schedules s where s.piece_id = p_piece and s.voided_at is null and s.publish_at <= clock_timestamp();
  if not found then
    return null;
  end if;
  piece := app.locked_piece(p_piece);
  select s.* into due from app.schedules s
   where s.piece_id = p_piece and s.voided_at is null and s.publish_at <= clock_timestamp() for update;
  if not found then
    return null;
  end if;
  problem := case
    when piece.id is null then 'deleted'
    when piece.editor_status <> 'draft' or piece.revision <> due.revision or app.text_hash(piece) <> due.text_hash
      then 'changed'
    when not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = due.account_id) then 'account'
    when exists (select from app.suspensions s where s.writer_id = piece.writer_id) then 'suspended'
    when piece.review_required then 'review'
    else problem
  end;
  if problem is null then
    begin
      perform app.original_of(piece);
    exception when sqlstate 'SF409' then
      problem := 'original';
    end;
  end if;
  if problem is not null then
    update app.schedules set voided_at = clock_timestamp(), rendering = null, void_reason = problem where piece_id = p_piece;
    return problem;
  end if;
  -- The change of status deletes the consent: it is used up.
  perform app.show_piece(piece, jsonb_populate_record(null::app.rendering, due.rendering));
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, consent)
  values ('publish', piece.id, piece.writer_id, due.account_id, due.session_id, piece.revision, piece.editor_status,
          'approved', jsonb_build_object('at', app.iso_time(due.consented_at), 'for', app.iso_time(due.publish_at),
                                         'proof', due.proof));
  return 'published';
end
$$;

revoke all on function app.publish_scheduled(uuid, text, integer, integer, integer) from public;
grant execute on function app.publish_scheduled(uuid, text, integer, integer, integer) to svc_worker;
