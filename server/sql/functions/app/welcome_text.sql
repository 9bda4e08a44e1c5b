set local role svc_owner;

-- What the signed-in writer says to new followers; null for nothing.
create or replace function app.welcome_text() returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select w.text from app.welcomes w where w.writer_id = app.session_writer() $$;

revoke all on function app.welcome_text() from public;
grant execute on function app.welcome_text() to svc_desk;
