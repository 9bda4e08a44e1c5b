set local role svc_owner;

create or replace trigger guard_import before insert or update on app.imports
  for each row execute function app.guard_import();

-- Also where a replica or a restore applies changes.
alter table app.imports
  enable always trigger guard_import;
