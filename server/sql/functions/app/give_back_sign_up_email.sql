set local role svc_owner;

-- One that could not be sent. An hour that began meanwhile lends none.
create or replace function app.give_back_sign_up_email() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.sign_up_emails e set sent = e.sent - 1
     where e.hour = date_trunc('hour', clock_timestamp(), 'UTC') and e.sent > 0
  $$;

revoke all on function app.give_back_sign_up_email() from public;
grant execute on function app.give_back_sign_up_email() to svc_worker;
