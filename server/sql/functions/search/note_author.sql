set local role svc_owner;

-- Words of the author's name are among those of their pieces, so under another name these are indexed again: the newest,
-- since searches read what waits. Older ones are found by their own words until all is indexed again.
create or replace function search.note_author() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  with named as (
    select p.id, p.published_at from pub.pieces p where p.author_id = new.id
     order by p.published_at desc, p.id desc limit 1000
  ), changed as (
    insert into search.changes (piece_id) select id from named on conflict do nothing
  )
  insert into search.waiting as w (piece_id, published_at, since)
  select id, published_at, clock_timestamp() from named
  on conflict (piece_id) do update set published_at = excluded.published_at, since = excluded.since;
  return null;
end
$$;

revoke all on function search.note_author() from public;
