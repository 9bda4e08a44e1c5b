set local role svc_publisher;

-- The pictures a piece may show, for those who may read it: its writer, and moderators while it waits.
create or replace function app.pictures_of(p_piece uuid, p_session_hash bytea)
  returns table (hash text, width integer, height integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.hash, m.width, m.height
      from app.pieces p join app.writers w on w.id = p.writer_id
           join app.piece_media n on n.piece_id = p.id
           join app.media m on m.hash = n.hash and m.writer_id = p.writer_id
     where p.id = p_piece
       and (w.account_id = session.account_id or p.editor_status = 'pending' and app.moderates(session));
end
$$;

revoke all on function app.pictures_of(uuid, bytea) from public;
grant execute on function app.pictures_of(uuid, bytea) to svc_desk;
