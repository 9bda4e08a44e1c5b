set local role svc_publisher;

-- Whatever makes a piece public, or public again, and anything that writes its co-authors: they are those who agreed. Their
-- profiles are public from then on.
create or replace function app.keep_co_authors() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  new.co_authors := app.co_authors_of(new.id, new.author_id);
  if new.co_authors is not null then
    perform app.show_author(named.id) from unnest(new.co_authors) as named(id)
     where not exists (select from pub.authors a where a.id = named.id);
  end if;
  return new;
end
$$;

revoke all on function app.keep_co_authors() from public;
grant execute on function app.keep_co_authors() to svc_owner;
