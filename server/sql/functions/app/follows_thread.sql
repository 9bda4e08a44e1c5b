set local role svc_publisher;

-- Whether a person gets emails about replies in a thread, besides the writer: they have spoken in it, and still see it.
create or replace function app.follows_thread(p_piece app.pieces, p_first app.comments, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.comments c
                    where c.account_id = p_account and p_first.id in (c.id, c.thread_id))
       and case p_first.made_by when 'moderator' then p_piece.editor_status = 'pending'
                                else app.is_co_author(p_piece.id, p_account) end
  $$;

revoke all on function app.follows_thread(app.pieces, app.comments, uuid) from public;
