set local role svc_owner;

create or replace trigger guard_public before insert or update or delete or truncate on pub.link_cards
  for each statement execute function app.guard_public();

create or replace trigger note_gone_picture after update of picture or delete on pub.link_cards
  for each row when (old.picture is not null) execute function app.note_gone_card_picture();

-- Also where a replica or a restore applies changes.
alter table pub.link_cards
  enable always trigger guard_public,
  enable always trigger note_gone_picture;
