set local role svc_owner;

-- What a reader follows that an email is sent for; nothing where it was stopped.
create or replace function app.reasons_of_email(p_email uuid) returns table (subject text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select f.subject
      from app.reader_emails e join app.follows f on f.reader_id = e.reader_id
     where e.id = p_email and app.is_sent_for(e, f) and not app.is_stopped(f)
     order by f.subject
  $$;

revoke all on function app.reasons_of_email(uuid) from public;
grant execute on function app.reasons_of_email(uuid) to svc_worker;
