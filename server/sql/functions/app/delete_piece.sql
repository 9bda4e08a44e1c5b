set local role svc_publisher;

-- A draft into the trash, by its writer or their key. Its preview links end. Answers with its revision; with null where there
-- is no such draft of theirs.
create or replace function app.delete_piece(p_piece uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
  actor record := app.actor();
begin
  if actor.writer_id is null or piece.writer_id is distinct from actor.writer_id or piece.editor_status <> 'draft' then
    return null;
  end if;
  if actor.key_id is not null and not app.key_may('drafts:delete', piece.begun_by_key) then
    raise exception 'error.key_deletes_own' using errcode = 'SF403';
  end if;
  update app.pieces set deleted_at = date_trunc('milliseconds', clock_timestamp()) where id = piece.id;
  delete from app.previews where piece_id = piece.id;
  perform app.note_deletion('delete', piece, actor.key_id, actor.account_id, actor.session_id);
  -- The update may have waited; a key or session that ended meanwhile deletes nothing.
  if app.actor() is distinct from actor then
    raise insufficient_privilege using message = 'the key or session ended a moment ago';
  end if;
  return piece.revision;
end
$$;

revoke all on function app.delete_piece(uuid) from public;
grant execute on function app.delete_piece(uuid) to svc_api, svc_desk;
