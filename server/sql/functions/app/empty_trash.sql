set local role svc_publisher;

-- For good: one piece of the trash, or as many as `p_limit` where none is named. Answers how many there were.
create or replace function app.empty_trash(p_session_hash bytea, p_piece uuid, p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  piece   app.pieces;
  emptied integer := 0;
begin
  for piece in
    select p.* from app.pieces p join app.writers w on w.id = p.writer_id
     where w.account_id = session.account_id and p.deleted_at is not null and (p_piece is null or p.id = p_piece)
     limit p_limit for update of p
  loop
    delete from app.pieces where id = piece.id;
    perform app.note_deletion('delete_for_good', piece, null, session.account_id, session.id);
    emptied := emptied + 1;
  end loop;
  if p_piece is not null and emptied = 0 then
    raise exception 'error.not_in_trash' using errcode = 'SF404';
  end if;
  return emptied;
end
$$;

revoke all on function app.empty_trash(bytea, uuid, integer) from public;
grant execute on function app.empty_trash(bytea, uuid, integer) to svc_desk;
