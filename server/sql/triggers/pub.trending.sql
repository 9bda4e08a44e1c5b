set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.trending
  for each statement execute function app.guard_public();

create or replace trigger note_feeds after insert on pub.trending
  for each statement execute function app.note_trending_feeds();

-- Also where a replica or a restore applies changes.
alter table pub.trending
  enable always trigger guard_public,
  enable always trigger note_feeds;
