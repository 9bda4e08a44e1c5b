set local role svc_owner;

create or replace function app.noted_session() returns uuid
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select nullif(current_setting('app.acting_session', true), '')::uuid $$;

revoke all on function app.noted_session() from public;
