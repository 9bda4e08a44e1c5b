set local role svc_owner;

create or replace function app.is_reported(p_kind text, p_id uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select exists (select from app.open_reports_of(p_kind, p_id)) $$;

revoke all on function app.is_reported(text, uuid) from public;
grant execute on function app.is_reported(text, uuid) to svc_publisher;
