set local role svc_publisher;

create or replace function app.guard_delivery() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.deliveries d where d.id = new.id and d.body is null and d.state <> 'cancelled') then
    raise exception 'a delivery was ordered and not written' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

revoke all on function app.guard_delivery() from public;
grant execute on function app.guard_delivery() to svc_owner;
