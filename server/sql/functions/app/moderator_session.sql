set local role svc_publisher;

-- The session, if it is live and of a moderator who did not write the piece.
create or replace function app.moderator_session(p_piece app.pieces, p_session_hash bytea) returns app.sessions
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not app.moderates(session) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  if p_piece.id is null then
    raise exception 'error.review_not_found' using errcode = 'SF404';
  end if;
  if exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = session.account_id) then
    raise exception 'error.own_piece' using errcode = 'SF403';
  end if;
  return session;
end
$$;

revoke all on function app.moderator_session(app.pieces, bytea) from public;
