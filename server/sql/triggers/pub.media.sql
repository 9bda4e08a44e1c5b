set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.media
  for each statement execute function app.guard_public();

create or replace trigger order_media_variants after insert on pub.media
  for each row execute function app.order_media_variants();

-- Also where a replica or a restore applies changes.
alter table pub.media
  enable always trigger guard_public,
  enable always trigger order_media_variants;
