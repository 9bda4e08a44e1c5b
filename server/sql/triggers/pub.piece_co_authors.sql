set local role svc_owner;

create or replace trigger count_gone after delete on pub.piece_co_authors
  referencing old table as touched for each statement execute function app.count_co_authors();

create or replace trigger count_new after insert on pub.piece_co_authors
  referencing new table as touched for each statement execute function app.count_co_authors();

create or replace trigger guard_public before insert or delete or update or truncate on pub.piece_co_authors
  for each statement execute function app.guard_public();

-- Also where a replica or a restore applies changes.
alter table pub.piece_co_authors
  enable always trigger count_gone,
  enable always trigger count_new,
  enable always trigger guard_public;
