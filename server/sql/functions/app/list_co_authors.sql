set local role svc_owner;

-- Lists a public piece for each of its co-authors, in the transaction that publishes, changes or hides it or its byline.
-- Runs as the role that writes the public schema, which is svc_publisher alone.
create or replace function app.list_co_authors() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.piece_co_authors l
     where l.piece_id = old.id and (tg_op = 'DELETE' or l.author_id <> all (coalesce(new.co_authors, '{}')));
  end if;
  if tg_op <> 'DELETE' then
    insert into pub.piece_co_authors as l (author_id, published_at, piece_id, category, language)
    select named.id, new.published_at, new.id, new.category, pub.language_of(new.locale)
      from unnest(new.co_authors) named(id)
    on conflict (piece_id, author_id) do update
      set published_at = excluded.published_at, category = excluded.category, language = excluded.language
      where (l.published_at, l.category, l.language)
            is distinct from (excluded.published_at, excluded.category, excluded.language);
  end if;
  return null;
end
$$;

revoke all on function app.list_co_authors() from public;
