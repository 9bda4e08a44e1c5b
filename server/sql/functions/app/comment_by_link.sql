set local role svc_publisher;

-- A comment by a holder of a private link, or their reply in a thread of that link. The same sent twice is one.
create or replace function app.comment_by_link(p_token_hash bytea, p_id uuid, p_thread uuid, p_name text, p_body text,
                                               p_replacement text, p_quote text, p_before text, p_after text,
                                               p_position integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live  app.previews := app.live_preview(p_token_hash);
  piece app.pieces := app.locked_piece(live.piece_id);
begin
  -- Again: the link may have been revoked before the piece was locked.
  live := app.live_preview(p_token_hash);
  if live.id is null or live.revision is not null or piece.id is null then
    raise exception 'error.preview_expired' using errcode = 'SF404';
  end if;
  if p_thread is not null
     and not exists (select from app.comments c
                      where c.id = p_thread and c.thread_id is null and c.preview_id = live.id) then
    raise exception 'error.comment_not_found' using errcode = 'SF404';
  end if;
  if exists (select from app.comments c
              where c.preview_id = live.id and c.thread_id is not distinct from p_thread and c.guest_name = p_name
                and c.body = p_body and c.replacement is not distinct from p_replacement
                and c.quote is not distinct from p_quote) then
    return;
  end if;
  if (select count(*) from app.comments c where c.preview_id = live.id) >= :comments_per_link then
    raise exception 'error.too_many_comments' using errcode = 'SF419', detail = json_build_object('limit', :comments_per_link)::text;
  end if;
  if (select count(*) from app.comments c where c.piece_id = piece.id) >= :comments_per_piece then
    raise exception 'error.too_many_comments' using errcode = 'SF419', detail = json_build_object('limit', :comments_per_piece)::text;
  end if;
  insert into app.comments (id, piece_id, thread_id, made_by, preview_id, guest_name, body, replacement, quote, before, after,
                            position)
  values (p_id, piece.id, p_thread, 'guest', live.id, p_name, p_body, p_replacement, p_quote, p_before, p_after, p_position);
end
$$;

revoke all on function app.comment_by_link(bytea, uuid, uuid, text, text, text, text, text, text, integer) from public;
grant execute on function app.comment_by_link(bytea, uuid, uuid, text, text, text, text, text, text, integer) to svc_desk;
