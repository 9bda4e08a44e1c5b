set local role svc_owner;

create or replace trigger guard_slug before insert or update of slug on app.writers
  for each row execute function app.guard_slug();

-- Also where a replica or a restore applies changes.
alter table app.writers
  enable always trigger guard_slug;
