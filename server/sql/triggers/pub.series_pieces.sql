set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.series_pieces
  for each statement execute function app.guard_public();

create or replace trigger note_feeds_gone after delete on pub.series_pieces referencing old table as moved
  for each statement execute function app.note_series_feeds();

create or replace trigger note_feeds_new after insert on pub.series_pieces referencing new table as moved
  for each statement execute function app.note_series_feeds();

-- Also where a replica or a restore applies changes.
alter table pub.series_pieces
  enable always trigger guard_public,
  enable always trigger note_feeds_gone,
  enable always trigger note_feeds_new;
