set local role svc_owner;

-- Why a reader gets an email who never filled in a form: what they follow by a list that its writer brought, where this is the first
-- email of it; and when they agreed, null if they are asked now.
create or replace function app.imported_reasons_of_email(p_email uuid) returns table (subject text, agreed_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select f.subject, case when f.confirmed_at is not null then f.asked_at end
      from app.reader_emails e join app.follows f on f.reader_id = e.reader_id
     where e.id = p_email and f.import_id is not null
       and case e.kind when 'confirm' then f.confirmed_at is null else app.is_sent_for(e, f) end
       and not exists (select from app.reader_emails s
                        where s.reader_id = f.reader_id and s.id <> e.id and s.state = 'sent' and s.ended_at >= f.confirmed_at
                          and app.is_sent_for(s, f))
     order by f.subject
  $$;

revoke all on function app.imported_reasons_of_email(uuid) from public;
grant execute on function app.imported_reasons_of_email(uuid) to svc_worker;
