set local role svc_owner;

-- Emails to readers by kind: how many are due, and how many are for later. And new pieces whose emails are still being
-- ordered, as the kind `announcement`.
create or replace function app.reader_email_figures() returns table (kind text, ready bigint, later bigint)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select k.kind, count(e.id) filter (where e.due_at <= statement_timestamp()),
           count(e.id) filter (where e.due_at > statement_timestamp())
      from unnest(array['confirm', 'welcome', 'piece', 'daily', 'weekly']) as k (kind)
           left join app.reader_emails e on e.kind = k.kind and e.state = 'pending'
     group by k.kind
    union all
    select 'announcement', count(*), 0 from app.announcements a
     where a.done_at is null and exists (select from pub.pieces p where p.id = a.piece_id)
  $$;

revoke all on function app.reader_email_figures() from public;
grant execute on function app.reader_email_figures() to svc_worker;
