set local role svc_publisher;

-- For the revision a person is shown: theirs, or one put before them as a moderator. Ten minutes to decide.
create or replace function app.make_nonce(p_piece uuid, p_session_hash bytea, p_revision integer, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces;
  session app.sessions;
begin
  select p.* into piece from app.pieces p where p.id = p_piece for key share;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = session.account_id)
     and (piece.editor_status is distinct from 'pending' or not app.moderates(session)) then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  delete from app.publish_nonces where piece_id = p_piece and session_id = session.id and expires_at < clock_timestamp();
  insert into app.publish_nonces (nonce_hash, piece_id, revision, session_id, expires_at)
  values (p_nonce_hash, p_piece, p_revision, session.id, clock_timestamp() + interval :'publish_nonce_lifetime');
end
$$;

revoke all on function app.make_nonce(uuid, bytea, integer, bytea) from public;
grant execute on function app.make_nonce(uuid, bytea, integer, bytea) to svc_desk;
