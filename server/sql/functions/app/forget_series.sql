set local role svc_owner;

-- A trigger: nobody follows a series that is gone.
create or replace function app.forget_series() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.forget_subjects(array['series:' || old.id]);
  return null;
end
$$;

revoke all on function app.forget_series() from public;
