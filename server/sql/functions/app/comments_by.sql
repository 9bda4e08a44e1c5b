set local role svc_publisher;

-- For a person's export: the comments they made. The passage is of another writer's draft, unless the piece is theirs.
create or replace function app.comments_by(p_session_hash bytea)
  returns table (id uuid, piece_id uuid, thread_id uuid, created_at timestamptz, body text, replacement text, quote text,
                 resolved_at timestamptz, outcome text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select c.id, c.piece_id, c.thread_id, c.created_at, c.body, c.replacement, case c.made_by when 'writer' then c.quote end,
           c.resolved_at, c.outcome
      from app.comments c where c.account_id = session.account_id
     order by c.created_at desc, c.id limit 10000;
end
$$;

revoke all on function app.comments_by(bytea) from public;
grant execute on function app.comments_by(bytea) to svc_desk;
