set local role svc_publisher;

-- Publishes the revision that its writer confirmed in this session, for the first time and with the date it was imported with.
create or replace function app.desk_publish_imported(p_piece uuid, p_session_hash bytea, p_rendering app.rendering) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
  fact    app.imports;
begin
  perform app.demand_status(piece, 'publish', array['draft']);
  select i.* into fact from app.imports i where i.piece_id = piece.id for update;
  if piece.first_published_at is not null
     or app.import_problem(piece.headline, piece.fields, piece.review_required, fact.original_at) is not null then
    raise exception 'error.import_not_publishable' using errcode = 'SF409';
  end if;
  if fact.session_id is distinct from session.id
     or fact.confirmed_at <= clock_timestamp() - interval :'import_consent_lifetime' then
    raise exception 'error.import_not_confirmed' using errcode = 'SF412';
  end if;
  if fact.revision <> piece.revision or fact.text_hash <> app.text_hash(piece) then
    raise exception 'error.import_changed' using errcode = 'SF412';
  end if;
  update app.imports i set published_at = date_trunc('milliseconds', clock_timestamp()), confirmed_at = null,
                           session_id = null, revision = null, text_hash = null, proof = null
   where i.piece_id = piece.id;
  -- In this copy alone: for its triggers the piece has never been public, so its webhook is called.
  piece.first_published_at := fact.original_at;
  perform app.show_piece(piece, p_rendering);
  insert into app.audit (act, piece_id, writer_id, account_id, session_id, revision, from_status, to_status, consent)
  values ('publish', piece.id, piece.writer_id, session.account_id, session.id, piece.revision, piece.editor_status,
          'approved', jsonb_build_object('at', app.iso_time(fact.confirmed_at), 'proof', fact.proof));
end
$$;

revoke all on function app.desk_publish_imported(uuid, bytea, app.rendering) from public;
grant execute on function app.desk_publish_imported(uuid, bytea, app.rendering) to svc_desk;
