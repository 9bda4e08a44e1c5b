set local role svc_owner;

create or replace trigger forget_reporter_name before update on app.reports
  for each row when (old.name is not null and new.email is null) execute function app.forget_reporter_name();

-- Also where a replica or a restore applies changes.
alter table app.reports
  enable always trigger forget_reporter_name;
