set local role svc_owner;

create or replace function app.attempt_key(p_kind text, p_name text) returns bytea
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select sha256(convert_to(p_kind || ' ' || p_name, 'UTF8')) $$;

revoke all on function app.attempt_key(text, text) from public;
