set local role svc_publisher;

-- As whom a person sees and makes comments on a piece at the desk: its writer, a co-author who agreed, or a moderator while it
-- waits for review. Null for everybody else. A moderator who signs it takes part under their name, as a co-author.
create or replace function app.comment_role(p_piece app.pieces, p_session app.sessions) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return case
    when p_piece.id is null or p_piece.deleted_at is not null then null
    when exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = p_session.account_id)
      then 'writer'
    when app.is_co_author(p_piece.id, p_session.account_id) then 'co_author'
    when p_piece.editor_status = 'pending' and app.moderates(p_session) then 'moderator'
  end;
end
$$;

revoke all on function app.comment_role(app.pieces, app.sessions) from public;
