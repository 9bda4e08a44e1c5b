set local role svc_publisher;

-- The threads that holders of this private link began, for its page, oldest first.
create or replace function app.comments_by_link(p_token_hash bytea)
  returns table (id uuid, thread_id uuid, made_by text, name text, body text, replacement text, quote text,
                 created_at timestamptz, resolved_at timestamptz, outcome text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  if live.id is null or live.revision is not null then
    return;
  end if;
  return query
    select c.id, c.thread_id, c.made_by,
           coalesce(c.guest_name, (select w.name from app.writers w where w.account_id = c.account_id)),
           c.body, c.replacement, c.quote, c.created_at, c.resolved_at, c.outcome
      from app.comments c left join app.comments first on first.id = c.thread_id
     where c.piece_id = live.piece_id and coalesce(first.preview_id, c.preview_id) = live.id
     order by c.created_at, c.id;
end
$$;

revoke all on function app.comments_by_link(bytea) from public;
grant execute on function app.comments_by_link(bytea) to svc_desk;
