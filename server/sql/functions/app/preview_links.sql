set local role svc_publisher;

create or replace function app.preview_links(p_piece uuid, p_session_hash bytea) returns setof app.previews
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.deleted_at is null;
  perform app.writer_session(piece, p_session_hash);
  return query
    select v.* from app.previews v
     where v.piece_id = p_piece and v.revision is null and v.expires_at > clock_timestamp()
     order by v.created_at desc, v.id;
end
$$;

revoke all on function app.preview_links(uuid, bytea) from public;
grant execute on function app.preview_links(uuid, bytea) to svc_desk;
