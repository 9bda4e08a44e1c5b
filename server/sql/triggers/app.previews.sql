set local role svc_owner;

drop trigger if exists record_link on app.previews;
create constraint trigger record_link after insert or delete on app.previews
  deferrable initially deferred for each row execute function app.record_link();

create or replace trigger refuse_trashed before insert on app.previews
  for each row execute function app.refuse_trashed();

-- Also where a replica or a restore applies changes.
alter table app.previews
  enable always trigger refuse_trashed;
