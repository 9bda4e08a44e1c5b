set local role svc_owner;

create or replace trigger forget_suspended_rows after delete on app.suspensions
  for each row execute function app.forget_suspended_rows();

-- Also where a replica or a restore applies changes.
alter table app.suspensions
  enable always trigger forget_suspended_rows;
