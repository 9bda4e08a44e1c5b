set local role svc_publisher;

-- A comment, or a reply in a thread. The browser names it, so that sending it again changes nothing.
create or replace function app.add_comment(p_id uuid, p_piece uuid, p_session_hash bytea, p_thread uuid, p_body text,
                                           p_replacement text, p_quote text, p_before text, p_after text,
                                           p_position integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces := app.locked_piece(p_piece);
  session app.sessions := app.signed_in(p_session_hash);
  role    text := app.comment_role(piece, session);
  thread  app.comments;
begin
  if role is null then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  if p_thread is not null then
    thread := app.commented_thread(p_piece, p_thread, role);
  end if;
  if exists (select from app.comments c
              where c.id = p_id and c.piece_id = p_piece and c.account_id = session.account_id) then
    return;
  end if;
  if (select count(*) from app.comments c where c.piece_id = p_piece) >= :comments_per_piece then
    raise exception 'error.too_many_comments' using errcode = 'SF419', detail = json_build_object('limit', :comments_per_piece)::text;
  end if;
  insert into app.comments (id, piece_id, thread_id, made_by, account_id, body, replacement, quote, before, after, position,
                            notified_at)
  values (p_id, p_piece, p_thread, role, session.account_id, p_body, p_replacement, p_quote, p_before, p_after, p_position,
          case when role = 'writer'
                 and not exists (select from app.comments c
                                  where p_thread in (c.id, c.thread_id) and c.account_id <> session.account_id)
            then timestamptz '-infinity' end);
exception
  when unique_violation then
    raise exception 'error.comment_not_found' using errcode = 'SF404';
end
$$;

revoke all on function app.add_comment(uuid, uuid, bytea, uuid, text, text, text, text, text, integer) from public;
grant execute on function app.add_comment(uuid, uuid, bytea, uuid, text, text, text, text, text, integer) to svc_desk;
