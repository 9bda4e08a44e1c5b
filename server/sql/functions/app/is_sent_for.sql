set local role svc_owner;

-- Whether an email is sent for something that its reader follows.
create or replace function app.is_sent_for(p_email app.reader_emails, p_follow app.follows) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select p_follow.confirmed_at is not null
       and case p_email.kind
             when 'piece' then p_follow.frequency = 'each'
              and exists (select from app.announcements a
                           where a.piece_id = p_email.piece_id and p_follow.subject = any (a.subjects))
             when 'welcome' then p_follow.subject = 'author:' || p_email.writer_id
             when 'confirm' then false
             else p_follow.frequency = p_email.kind end
  $$;

revoke all on function app.is_sent_for(app.reader_emails, app.follows) from public;
