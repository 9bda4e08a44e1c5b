set local role svc_owner;

-- Whatever takes the address takes the name.
create or replace function app.forget_reporter_name() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.name := null;
  return new;
end
$$;

revoke all on function app.forget_reporter_name() from public;
