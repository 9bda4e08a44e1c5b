set local role svc_owner;

create or replace trigger guard_audit before delete or truncate on app.writer_audit
  for each statement execute function app.guard_audit();

create or replace trigger guard_notes before update on app.writer_audit
  for each row execute function app.guard_notes();

-- Also where a replica or a restore applies changes.
alter table app.writer_audit
  enable always trigger guard_audit,
  enable always trigger guard_notes;
