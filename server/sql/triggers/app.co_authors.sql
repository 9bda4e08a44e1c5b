set local role svc_owner;

create or replace trigger guard_consent before insert or update on app.co_authors
  for each row when (new.answer is not null) execute function app.guard_consent();

create or replace trigger show_co_author after insert or update or delete on app.co_authors
  for each row execute function app.show_co_author();

-- Also where a replica or a restore applies changes.
alter table app.co_authors
  enable always trigger guard_consent,
  enable always trigger show_co_author;
