set local role svc_publisher;

-- Who gets an email about new comments: the writer about those of others, and who spoke in a thread at the desk about replies,
-- while they see it. At most one batch a piece in this interval; each comment is in one.
create or replace function app.comments_to_tell() returns table (piece_id uuid, account_id uuid)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with due as (
      select distinct c.piece_id
        from app.comments c join app.pieces p on p.id = c.piece_id
       where c.notified_at is null and p.deleted_at is null
         and not exists (select from app.comments o
                          where o.piece_id = c.piece_id
                            and o.notified_at > clock_timestamp() - interval :'comment_emails_interval')
       limit 500
    ), told as (
      update app.comments c set notified_at = now()
        from due where c.piece_id = due.piece_id and c.notified_at is null
      returning c.piece_id, c.thread_id, c.account_id
    )
    select distinct p.id, reader.account_id
      from told t join app.pieces p on p.id = t.piece_id join app.writers w on w.id = p.writer_id
      left join app.comments first on first.id = t.thread_id
      cross join lateral (select w.account_id
                          union select c.account_id from app.comments c
                                 where t.thread_id in (c.id, c.thread_id) and c.account_id is not null) reader
     where reader.account_id is distinct from t.account_id
       and (reader.account_id = w.account_id or app.follows_thread(p, first, reader.account_id))
  $$;

revoke all on function app.comments_to_tell() from public;
grant execute on function app.comments_to_tell() to svc_worker;
