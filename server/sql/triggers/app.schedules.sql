set local role svc_owner;

create or replace trigger guard_schedule before insert or update on app.schedules
  for each statement execute function app.guard_schedule();

create or replace trigger refuse_suspended before insert on app.schedules
  for each row execute function app.refuse_suspended();

-- Also where a replica or a restore applies changes.
alter table app.schedules
  enable always trigger guard_schedule,
  enable always trigger refuse_suspended;
