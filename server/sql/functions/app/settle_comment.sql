set local role svc_publisher;

-- Resolves a thread, or opens it again: by the writer, or by who began it. Only the writer accepts a suggestion.
create or replace function app.settle_comment(p_piece uuid, p_comment uuid, p_session_hash bytea, p_resolved boolean,
                                              p_outcome text) returns void
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
  thread := app.commented_thread(p_piece, p_comment, role);
  if role <> 'writer' and (thread.account_id is distinct from session.account_id or p_outcome = 'accepted') then
    raise exception 'error.comment_of_other' using errcode = 'SF403';
  end if;
  if p_outcome is not null and (thread.replacement is null or not p_resolved) then
    raise exception 'error.comment_no_suggestion' using errcode = 'SF409';
  end if;
  update app.comments c
     set resolved_at = case when p_resolved then coalesce(c.resolved_at, date_trunc('milliseconds', clock_timestamp())) end,
         outcome = p_outcome
   where c.id = p_comment;
end
$$;

revoke all on function app.settle_comment(uuid, uuid, bytea, boolean, text) from public;
grant execute on function app.settle_comment(uuid, uuid, bytea, boolean, text) to svc_desk;
