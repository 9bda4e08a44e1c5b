set local role svc_publisher;

-- The comments on a piece that this person sees, oldest first. A moderator is not named to the writer, as in decisions.
create or replace function app.comments_of(p_piece uuid, p_session_hash bytea)
  returns table (id uuid, thread_id uuid, made_by text, name text, is_mine boolean, may_settle boolean, may_delete boolean,
                 body text, replacement text, quote text, before text, after text, "position" integer,
                 created_at timestamptz, resolved_at timestamptz, outcome text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  piece   app.pieces;
  role    text;
begin
  select p.* into piece from app.pieces p where p.id = p_piece;
  role := app.comment_role(piece, session);
  if role is null then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
  return query
    select c.id, c.thread_id, c.made_by,
           case when c.made_by = 'guest' then c.guest_name
                when c.made_by <> 'moderator' then (select w.name from app.writers w where w.account_id = c.account_id) end,
           c.account_id is not distinct from session.account_id,
           role = 'writer' or c.account_id is not distinct from session.account_id,
           c.account_id is not distinct from session.account_id or role = 'writer' and c.made_by = 'guest',
           c.body, c.replacement, c.quote, c.before, c.after, c.position, c.created_at, c.resolved_at, c.outcome
      from app.comments c left join app.comments first on first.id = c.thread_id
     where c.piece_id = p_piece
       and app.sees_thread(role, coalesce(first.made_by, c.made_by))
     order by c.created_at, c.id;
end
$$;

revoke all on function app.comments_of(uuid, bytea) from public;
grant execute on function app.comments_of(uuid, bytea) to svc_desk;
