set local role svc_publisher;

-- An original, named by a person or a key, must be public. So nobody learns of drafts by naming them.
create or replace function app.check_original() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  named uuid := (new.fields ->> 'translation_of')::uuid;
begin
  if named = new.id or not exists (select from pub.pieces p where p.id = named) then
    raise exception 'error.translation.original_not_public' using errcode = 'SF400';
  end if;
  if exists (select from pub.pieces p where p.id = named and p.translation_of is not null) then
    raise exception 'error.translation.of_translation' using errcode = 'SF400';
  end if;
  return null;
end
$$;

revoke all on function app.check_original() from public;
grant execute on function app.check_original() to svc_owner;
