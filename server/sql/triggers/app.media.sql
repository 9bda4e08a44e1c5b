set local role svc_owner;

create or replace trigger note_gone_media after delete on app.media
  for each row execute function app.note_gone_media();

-- Also where a replica or a restore applies changes.
alter table app.media
  enable always trigger note_gone_media;
