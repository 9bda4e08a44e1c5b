set local role svc_owner;

create or replace function app.guard_audit() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  raise insufficient_privilege using message = 'the audit trail is only ever added to';
end
$$;

revoke all on function app.guard_audit() from public;
