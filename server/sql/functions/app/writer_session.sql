set local role svc_publisher;

-- The session, if it is live and of the piece's writer.
create or replace function app.writer_session(p_piece app.pieces, p_session_hash bytea) returns app.sessions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = session.account_id) then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  return session;
end
$$;

revoke all on function app.writer_session(app.pieces, bytea) from public;
