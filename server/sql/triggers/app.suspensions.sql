set local role svc_owner;

create or replace trigger forget_suspended_rows after delete on app.suspensions
  for each row execute function app.forget_suspended_rows();

create or replace trigger show_suspended_co_author after insert or delete on app.suspensions
  for each row execute function app.show_suspended_co_author();

-- Also where a replica or a restore applies changes.
alter table app.suspensions
  enable always trigger forget_suspended_rows,
  enable always trigger show_suspended_co_author;
