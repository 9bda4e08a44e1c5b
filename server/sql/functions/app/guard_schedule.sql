set local role svc_owner;

create or replace function app.guard_schedule() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'only a person schedules a piece, at the desk, through the desk functions';
  end if;
  return null;
end
$$;

revoke all on function app.guard_schedule() from public;
