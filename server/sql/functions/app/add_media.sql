set local role svc_publisher;

-- Called before the bytes are put into the store. Where they do not get there the row stays, since another request may
-- have been promised the same picture; the sweep takes what nothing names. Pictures of a piece in the trash are kept.
create or replace function app.add_media(p_session_hash bytea, p_piece uuid, p_hash text, p_type text, p_width integer,
                                         p_height integer, p_bytes integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.media_writer(p_session_hash);
begin
  if p_piece is not null and not exists (
       select from app.pieces p where p.id = p_piece and p.writer_id = writer and p.deleted_at is null) then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_hash, 6));
  update app.media m set created_at = date_trunc('milliseconds', clock_timestamp())
   where m.writer_id = writer and m.hash = p_hash;
  if found then
    return;
  end if;
  if (select coalesce(sum(m.bytes), 0) from app.media m where m.writer_id = writer) + p_bytes > 524288000 then
    raise exception 'error.pictures_full' using errcode = 'SF419', detail = '{"megabytes":500}';
  end if;
  insert into app.media (hash, writer_id, type, width, height, bytes)
  values (p_hash, writer, p_type, p_width, p_height, p_bytes);
end
$$;

revoke all on function app.add_media(bytea, uuid, text, text, integer, integer, integer) from public;
grant execute on function app.add_media(bytea, uuid, text, text, integer, integer, integer) to svc_desk;
