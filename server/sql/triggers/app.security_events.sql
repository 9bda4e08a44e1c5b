set local role svc_owner;

create or replace trigger guard_security_events before update or delete on app.security_events
  for each row execute function app.guard_security_events();

create or replace trigger guard_security_events_whole before truncate on app.security_events
  for each statement execute function app.guard_security_events();

-- Also where a replica or a restore applies changes.
alter table app.security_events
  enable always trigger guard_security_events,
  enable always trigger guard_security_events_whole;
