set local role svc_owner;

create or replace trigger count_gone after delete on app.fediverse_followers referencing old table as changed
  for each statement execute function app.count_fediverse_followers();

create or replace trigger count_new after insert on app.fediverse_followers referencing new table as changed
  for each statement execute function app.count_fediverse_followers();
