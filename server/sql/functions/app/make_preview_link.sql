set local role svc_publisher;

create or replace function app.make_preview_link(p_piece uuid, p_session_hash bytea, p_days integer, p_token_hash bytea)
  returns app.previews
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.writer_session(piece, p_session_hash);
  made    app.previews;
begin
  if p_days is null or p_days not in (1, 7, 30) then
    raise exception 'error.preview_days' using errcode = 'SF400';
  end if;
  if piece.editor_status = 'rejected' then
    raise exception 'error.preview_rejected' using errcode = 'SF409';
  end if;
  if app.is_taken_down(p_piece) then
    raise exception 'error.preview_taken_down' using errcode = 'SF409';
  end if;
  if (select count(*) from app.previews v
       where v.piece_id = p_piece and v.revision is null and v.expires_at > clock_timestamp()) >= 20 then
    raise exception 'error.too_many_preview_links' using errcode = 'SF419', detail = '{"limit":20}';
  end if;
  insert into app.previews (token_hash, piece_id, account_id, expires_at)
  values (p_token_hash, p_piece, session.account_id,
          date_trunc('milliseconds', clock_timestamp()) + make_interval(days => p_days))
  returning * into made;
  return made;
end
$$;

revoke all on function app.make_preview_link(uuid, bytea, integer, bytea) from public;
grant execute on function app.make_preview_link(uuid, bytea, integer, bytea) to svc_desk;
