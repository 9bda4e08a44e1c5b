set local role svc_publisher;

create or replace function app.restore_piece(p_session_hash bytea, p_piece uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces;
  session app.sessions;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.deleted_at is not null for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = session.account_id) then
    raise exception 'error.not_in_trash' using errcode = 'SF404';
  end if;
  update app.pieces set deleted_at = null where id = piece.id;
  perform app.note_deletion('restore', piece, null, session.account_id, session.id);
end
$$;

revoke all on function app.restore_piece(bytea, uuid) from public;
grant execute on function app.restore_piece(bytea, uuid) to svc_desk;
