set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.products
  for each statement execute function app.guard_public();

create or replace trigger show_media after insert or delete or update of image on pub.products
  for each row execute function app.show_media_of_product();

-- Also where a replica or a restore applies changes.
alter table pub.products
  enable always trigger guard_public,
  enable always trigger show_media;
