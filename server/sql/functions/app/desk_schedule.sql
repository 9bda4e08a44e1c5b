set local role svc_publisher;

-- Consent to publish the revision that was shown at `p_at`, with what publishing it now would need. A later one replaces it.
create or replace function app.desk_schedule(p_piece uuid, p_session_hash bytea, p_nonce_hash bytea, p_rendering app.rendering,
                                             p_at timestamptz) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece     app.pieces := app.locked_piece(p_piece);
  session   app.sessions := app.writer_session(piece, p_session_hash);
  consented timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  perform app.demand_status(piece, 'publish', array['draft']);
  if piece.review_required then
    raise exception 'error.review_required.publish' using errcode = 'SF409';
  end if;
  if p_at is null or p_at <= clock_timestamp() then
    raise exception 'error.schedule_past' using errcode = 'SF400';
  elsif p_at > clock_timestamp() + interval :'schedule_horizon' then
    raise exception 'error.schedule_too_far' using errcode = 'SF400';
  end if;
  perform app.demand_headline(piece);
  perform app.original_of(piece);
  if (select count(*) from app.schedules s
       where s.writer_id = piece.writer_id and s.piece_id <> piece.id and s.voided_at is null) >= :schedules_per_writer then
    raise exception 'error.too_many_schedules' using errcode = 'SF419', detail = '{"limit":100}';
  end if;
  perform app.use_nonce(piece, session, p_nonce_hash, 'publish');
  delete from app.schedules where piece_id = piece.id;
  insert into app.schedules (piece_id, writer_id, account_id, session_id, revision, text_hash, publish_at, consented_at,
                             proof, rendering)
  values (piece.id, piece.writer_id, session.account_id, session.id, piece.revision, app.text_hash(piece),
          date_trunc('milliseconds', p_at), consented, app.proof_of(session.id, piece.id, piece.revision),
          to_jsonb(p_rendering));
  perform app.move_piece(piece, session, 'schedule', 'draft', null);
end
$$;

revoke all on function app.desk_schedule(uuid, bytea, bytea, app.rendering, timestamp with time zone) from public;
grant execute on function app.desk_schedule(uuid, bytea, bytea, app.rendering, timestamp with time zone) to svc_desk;
