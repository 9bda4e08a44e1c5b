set local role svc_owner;

create or replace function app.sweep_email_changes() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.email_changes where expires_at < now() $$;

revoke all on function app.sweep_email_changes() from public;
grant execute on function app.sweep_email_changes() to svc_worker;
