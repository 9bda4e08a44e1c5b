set local role svc_owner;

-- What its writer took back, or an operator took out, is not brought back.
create or replace function app.forget_suspended_row() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.suspended_rows k where k.writer_id = old.writer_id and k.id = old.id;
  return null;
end
$$;

revoke all on function app.forget_suspended_row() from public;
