set local role svc_owner;

create or replace function app.guard_truncate() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  raise insufficient_privilege using message = 'pieces are deleted one by one';
end
$$;

revoke all on function app.guard_truncate() from public;
