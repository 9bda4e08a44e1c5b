set local role svc_owner;

create or replace trigger guard_audit before delete or truncate on app.product_audit
  for each statement execute function app.guard_audit();

create or replace trigger guard_notes before update on app.product_audit
  for each row execute function app.guard_notes();

create or replace trigger refuse_suspended before insert on app.product_audit
  for each row when (new.act in ('list', 'update')) execute function app.refuse_suspended();

-- Also where a replica or a restore applies changes.
alter table app.product_audit
  enable always trigger guard_audit,
  enable always trigger guard_notes,
  enable always trigger refuse_suspended;
