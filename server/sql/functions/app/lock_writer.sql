set local role svc_publisher;

-- One act at a time for each writer: two headlines alike would otherwise race for one slug, and counts and the
-- profile be written from what was true a moment ago.
create or replace function app.lock_writer(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$ select pg_advisory_xact_lock(hashtextextended(p_writer::text, 0)) $$;

revoke all on function app.lock_writer(uuid) from public;
