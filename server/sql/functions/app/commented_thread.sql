set local role svc_publisher;

-- The first comment of a thread that this role sees.
create or replace function app.commented_thread(p_piece uuid, p_comment uuid, p_role text) returns app.comments
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  thread app.comments;
begin
  select c.* into thread from app.comments c
   where c.id = p_comment and c.piece_id = p_piece and c.thread_id is null
     and app.sees_thread(p_role, c.made_by);
  if not found then
    raise exception 'error.comment_not_found' using errcode = 'SF404';
  end if;
  return thread;
end
$$;

revoke all on function app.commented_thread(uuid, uuid, text) from public;
