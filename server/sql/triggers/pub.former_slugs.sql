set local role svc_owner;

create or replace trigger guard_public before insert or delete or update or truncate on pub.former_slugs
  for each statement execute function app.guard_public();

-- Also where a replica or a restore applies changes.
alter table pub.former_slugs
  enable always trigger guard_public;
