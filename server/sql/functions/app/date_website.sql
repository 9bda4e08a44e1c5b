set local role svc_owner;

create or replace function app.date_website() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.website_checked_at := case when new.website_verified
    then (select c.found_at from app.website_checks c where c.writer_id = new.id) end;
  return new;
end
$$;

revoke all on function app.date_website() from public;
