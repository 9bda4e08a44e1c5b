set local role svc_owner;

create or replace trigger date_identity before insert or update on pub.authors
  for each row execute function app.date_identity();

create or replace trigger date_website before insert or update on pub.authors
  for each row execute function app.date_website();

create or replace trigger guard_public before insert or delete or update or truncate on pub.authors
  for each statement execute function app.guard_public();

create or replace trigger note_actor_change after update of slug, name, bio, avatar_url on pub.authors
  for each row when ((old.slug, old.name, old.bio, old.avatar_url) is distinct from (new.slug, new.name, new.bio, new.avatar_url))
  execute function app.note_actor_change();

create or replace trigger note_name after update of name on pub.authors
  for each row when (old.name is distinct from new.name) execute function search.note_author();

drop trigger if exists refuse_suspended on pub.authors;
create constraint trigger refuse_suspended after insert on pub.authors deferrable initially deferred
  for each row execute function app.refuse_suspended_author();

create or replace trigger show_portrait after insert or delete or update of avatar_url on pub.authors
  for each row execute function app.show_portrait();

-- Also where a replica or a restore applies changes.
alter table pub.authors
  enable always trigger date_identity,
  enable always trigger date_website,
  enable always trigger guard_public,
  enable always trigger note_actor_change,
  enable always trigger note_name,
  enable always trigger refuse_suspended,
  enable always trigger show_portrait;
