set local role svc_owner;

create or replace trigger guard_public before insert or delete or update or truncate on pub.piece_texts
  for each statement execute function app.guard_public();

create or replace trigger note_changed after update on pub.piece_texts
  referencing old table as gone new table as come for each statement execute function search.note_piece();

create or replace trigger note_gone after delete on pub.piece_texts
  referencing old table as gone for each statement execute function search.note_piece();

create or replace trigger note_new after insert on pub.piece_texts
  referencing new table as come for each statement execute function search.note_piece();

-- Also where a replica or a restore applies changes.
alter table pub.piece_texts
  enable always trigger guard_public,
  enable always trigger note_changed,
  enable always trigger note_gone,
  enable always trigger note_new;
