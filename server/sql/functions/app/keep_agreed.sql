set local role svc_publisher;

-- Whatever makes a piece public, or public again: it is the translation of another only with consent, and no chain comes about.
-- The original is held until the end: it cannot become a translation itself meanwhile.
create or replace function app.keep_agreed() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.pieces p where p.id = new.translation_of for share;
  if not app.is_agreed(new.id, new.author_id, new.translation_of)
     or exists (select from pub.pieces p where p.id = new.translation_of and p.translation_of is not null)
     or exists (select from pub.pieces p where p.translation_of = new.id) then
    new.translation_of := null;
  end if;
  return new;
end
$$;

revoke all on function app.keep_agreed() from public;
grant execute on function app.keep_agreed() to svc_owner;
