set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.front_page_pins
  for each statement execute function app.guard_public();

-- Also where a replica or a restore applies changes.
alter table pub.front_page_pins
  enable always trigger guard_public;
