set local role svc_owner;

create or replace trigger guard_public before insert or delete or update or truncate on pub.piece_contents
  for each statement execute function app.guard_public();

create or replace trigger note_links after insert or delete or update of html on pub.piece_contents
  for each row execute function app.note_links();

create or replace trigger show_media after insert or delete or update of html on pub.piece_contents
  for each row execute function app.show_media_of_piece();

-- Also where a replica or a restore applies changes.
alter table pub.piece_contents
  enable always trigger guard_public,
  enable always trigger note_links,
  enable always trigger show_media;
