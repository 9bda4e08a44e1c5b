set local role svc_owner;

create or replace function app.digest_time(p_day date) returns timestamptz
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select (p_day + interval :'digest_time') at time zone 'UTC' $$;

revoke all on function app.digest_time(date) from public;
