set local role svc_publisher;

-- A picture that the text shown names, its cover, or its writer's portrait.
create or replace function app.previewed_media(p_token_hash bytea, p_hash text) returns table (type text, bytes integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  return query
    select m.type, m.bytes
      from app.pieces p join app.writers w on w.id = p.writer_id
           join app.media m on m.writer_id = p.writer_id and m.hash = p_hash
     where p.id = live.piece_id
       and (w.avatar_url like '%/media/' || p_hash
            or exists (select from app.previewed_text(live) t
                        where position('/media/' || m.hash in t.body_md) > 0 or t.fields #>> '{cover,hash}' = m.hash));
end
$$;

revoke all on function app.previewed_media(bytea, text) from public;
grant execute on function app.previewed_media(bytea, text) to svc_desk;
