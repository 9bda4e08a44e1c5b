set local role svc_owner;

create or replace trigger guard_audit before delete or truncate on app.audit
  for each statement execute function app.guard_audit();

create or replace trigger guard_notes before update on app.audit
  for each row execute function app.guard_notes();

-- Without a session it is the site itself, filling its tables: that vouches for nothing.
create or replace trigger order_receipt after insert on app.audit
  for each row when (new.session_id is not null and new.act in ('publish', 'update', 'approve'))
  execute function app.order_receipt();

create or replace trigger refuse_suspended before insert on app.audit
  for each row when (new.act in ('publish', 'update', 'submit', 'resubmit', 'approve'))
  execute function app.refuse_suspended();

-- Also where a replica or a restore applies changes.
alter table app.audit
  enable always trigger guard_audit,
  enable always trigger guard_notes,
  enable always trigger order_receipt,
  enable always trigger refuse_suspended;
