set local role svc_publisher;

create or replace function app.revoke_preview_link(p_piece uuid, p_session_hash bytea, p_link uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
begin
  perform app.writer_session(piece, p_session_hash);
  delete from app.previews v where v.id = p_link and v.piece_id = p_piece and v.revision is null;
  if not found then
    raise exception 'error.preview_link_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.revoke_preview_link(uuid, bytea, uuid) from public;
grant execute on function app.revoke_preview_link(uuid, bytea, uuid) to svc_desk;
