set local role svc_publisher;

-- The public copy of a series as its pieces are now; none while no piece of it is public. Its writer is locked.
create or replace function app.copy_series(p_series uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.series_pieces m where m.series_id = p_series;
  if not exists (select from app.series s join app.series_pieces m on m.series_id = s.id
                   join pub.pieces p on p.id = m.piece_id and p.author_id = s.writer_id
                  where s.id = p_series) then
    delete from pub.series s where s.id = p_series;
    return;
  end if;
  insert into pub.series as shown (id, author_id, slug, title, description, modified_at)
  select s.id, s.writer_id, s.slug, s.title, s.description, date_trunc('milliseconds', clock_timestamp())
    from app.series s where s.id = p_series
  on conflict (id) do update set
    title = excluded.title, description = excluded.description, modified_at = excluded.modified_at;
  insert into pub.series_pieces (piece_id, series_id, position)
  select m.piece_id, m.series_id, row_number() over (order by m.position)
    from app.series s join app.series_pieces m on m.series_id = s.id
    join pub.pieces p on p.id = m.piece_id and p.author_id = s.writer_id
   where s.id = p_series;
end
$$;

revoke all on function app.copy_series(uuid) from public;
