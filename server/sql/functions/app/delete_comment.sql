set local role svc_publisher;

-- One's own comment, with the replies to it; for the writer also those of guests, who cannot delete theirs.
create or replace function app.delete_comment(p_piece uuid, p_comment uuid, p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.signed_in(p_session_hash);
  role    text := app.comment_role(piece, session);
begin
  if role is null then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  delete from app.comments c
   where c.id = p_comment and c.piece_id = p_piece
     and (c.account_id = session.account_id or role = 'writer' and c.made_by = 'guest');
  if not found then
    raise exception 'error.comment_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.delete_comment(uuid, uuid, bytea) from public;
grant execute on function app.delete_comment(uuid, uuid, bytea) to svc_desk;
