set local role svc_publisher;

-- For the worker: what an email about the newest batch of comments names; no row where they have been deleted or resolved
-- meanwhile, or this person may not see the piece any more or has switched these emails off. `names` of those who are named: not of moderators.
create or replace function app.comment_email(p_piece uuid, p_account uuid)
  returns table (headline text, is_writer boolean, count integer, names text[])
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.headline, w.account_id = p_account, count(*)::integer,
           coalesce(array_agg(distinct coalesce(c.guest_name, maker.name)) filter (where c.made_by <> 'moderator'), '{}')
      from app.pieces p join app.writers w on w.id = p.writer_id
      join app.comments c on c.piece_id = p.id
      left join app.comments first on first.id = c.thread_id
      left join app.writers maker on maker.account_id = c.account_id
     where p.id = p_piece and p.deleted_at is null
       and exists (select from app.accounts a where a.id = p_account and a.comment_emails)
       and (w.account_id = p_account or app.follows_thread(p, first, p_account))
       and c.account_id is distinct from p_account
       and c.notified_at = (select max(l.notified_at) from app.comments l where l.piece_id = p_piece)
       and c.resolved_at is null and first.resolved_at is null
     group by p.headline, w.account_id
  $$;

revoke all on function app.comment_email(uuid, uuid) from public;
grant execute on function app.comment_email(uuid, uuid) to svc_worker;
