set local role svc_owner;

create or replace function app.guard_product_delete() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if old.status = 'listed' and current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'a listing is withdrawn before it is deleted';
  end if;
  return old;
end
$$;

revoke all on function app.guard_product_delete() from public;
