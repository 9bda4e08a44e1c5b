set local role svc_owner;

-- Emails to readers that wait, receiving domains to which one can be sent now, and new pieces whose emails are still being
-- ordered. Counted as far as 10,000, 10,000 and 1,000: monitors ask every few seconds, and a million may wait.
create or replace function app.reader_email_figures() returns table (waiting bigint, domains_ready bigint, announcements bigint)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select (select count(*) from (select from app.reader_emails e where e.state = 'pending' limit 10000) as w),
           (select count(*)
              from (select from app.mail_domains d where d.ready_at <= statement_timestamp() limit 10000) as r),
           (select count(*)
              from (select from app.announcements a
                     where a.done_at is null and exists (select from pub.pieces p where p.id = a.piece_id) limit 1000) as o)
  $$;

revoke all on function app.reader_email_figures() from public;
grant execute on function app.reader_email_figures() to svc_worker;
