set local role svc_owner;

create or replace function app.guard_delete() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if old.editor_status = 'approved' and current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'a public piece is unpublished before it is deleted';
  end if;
  return old;
end
$$;

revoke all on function app.guard_delete() from public;
