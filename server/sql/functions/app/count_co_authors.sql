set local role svc_owner;

-- Keeps what profiles, searches and rankings say of those whose names come to pieces of others or leave them.
create or replace function app.count_co_authors() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(one.author_id) from (select distinct t.author_id from touched t order by 1) one;
  if tg_op = 'DELETE' then
    update pub.authors a set pieces_count = a.pieces_count - t.pieces, last_published_at = app.last_published(a.id)
      from (select author_id, count(*)::integer as pieces from touched group by author_id) t
     where a.id = t.author_id;
  else
    update pub.authors a set pieces_count = a.pieces_count + t.pieces,
                             last_published_at = greatest(a.last_published_at, t.newest)
      from (select author_id, count(*)::integer as pieces, max(published_at) as newest from touched group by author_id) t
     where a.id = t.author_id;
  end if;
  return null;
end
$$;

revoke all on function app.count_co_authors() from public;
