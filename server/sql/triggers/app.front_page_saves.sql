set local role svc_owner;

create or replace trigger guard_audit before update or delete or truncate on app.front_page_saves
  for each statement execute function app.guard_audit();

-- Also where a replica or a restore applies changes.
alter table app.front_page_saves
  enable always trigger guard_audit;
