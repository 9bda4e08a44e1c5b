set local role svc_owner;

create or replace function app.forget_suspended_rows() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.suspended_rows k where k.writer_id = old.writer_id;
  return null;
end
$$;

revoke all on function app.forget_suspended_rows() from public;
