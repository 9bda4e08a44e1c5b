set local role svc_publisher;

-- The cover that the page of what a token shows would have, as app.cover_of makes it.
create or replace function app.previewed_cover(p_token_hash bytea) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  return (
    select t.fields -> 'cover' || jsonb_build_object('width', m.width, 'height', m.height)
      from app.pieces p cross join app.previewed_text(live) t
           join app.media m on m.writer_id = p.writer_id and m.hash = t.fields #>> '{cover,hash}'
     where p.id = live.piece_id);
end
$$;

revoke all on function app.previewed_cover(bytea) from public;
grant execute on function app.previewed_cover(bytea) to svc_desk;
