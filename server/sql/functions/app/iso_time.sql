set local role svc_publisher;

-- As JavaScript writes it.
create or replace function app.iso_time(p_time timestamptz) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

revoke all on function app.iso_time(timestamp with time zone) from public;
grant execute on function app.iso_time(timestamp with time zone) to svc_owner;
