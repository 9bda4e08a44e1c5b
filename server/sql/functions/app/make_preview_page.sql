set local role svc_publisher;

create or replace function app.make_preview_page(p_piece uuid, p_session_hash bytea, p_revision integer, p_token_hash bytea)
  returns void
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
     and (p_revision is distinct from piece.revision
          or (piece.editor_status is distinct from 'pending' or not app.moderates(session))
             and not app.may_read_draft(piece, session.account_id)) then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  delete from app.previews v where v.piece_id = p_piece and v.expires_at < clock_timestamp();
  insert into app.previews (token_hash, piece_id, account_id, revision, expires_at)
  values (p_token_hash, p_piece, session.account_id, p_revision, clock_timestamp() + interval :'preview_page_lifetime');
end
$$;

revoke all on function app.make_preview_page(uuid, bytea, integer, bytea) from public;
grant execute on function app.make_preview_page(uuid, bytea, integer, bytea) to svc_desk;
