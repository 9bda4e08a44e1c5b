set local role svc_owner;

-- Of a day that is over each piece keeps its twenty best sources. Some hundred pieces at once, day by day, from where the
-- last one ended, however long ago that was; answers how many. A day is over for an hour first: a batch that was begun
-- before midnight may be kept after it.
create or replace function app.cut_sources() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  at_once   constant integer := 200;
  best      constant integer := 20;
  first_day date := ((clock_timestamp() - interval '1 hour') at time zone 'UTC')::date;
  reached   app.sources_cut;
  days      date[];
  pieces    uuid[];
begin
  select c.* into strict reached from app.sources_cut c for update;
  select array_agg(b.day order by b.day, b.piece_id), array_agg(b.piece_id order by b.day, b.piece_id) into days, pieces
    from (select s.day, s.piece_id from app.piece_sources s
           where (s.day, s.piece_id) > (reached.day, reached.piece_id) and s.day < first_day
           group by s.day, s.piece_id order by s.day, s.piece_id limit at_once) b;
  if pieces is null then
    return 0;
  end if;
  -- In the order in which a piece is deleted, and without waiting for that: neither waits for the other for ever.
  perform from app.piece_reads k where k.piece_id = any (pieces) for key share nowait;

  with ranked as (
    select s.piece_id, s.day, s.source,
           row_number() over (partition by s.piece_id, s.day order by s.visits desc, s.source) as place
      from unnest(days, pieces) as b (day, piece_id)
      join app.piece_sources s on s.piece_id = b.piece_id and s.day = b.day
     where s.source <> ''
  ), cut as (
    delete from app.piece_sources s using ranked r
     where r.place > best and (s.piece_id, s.day, s.source) = (r.piece_id, r.day, r.source)
    returning s.piece_id, s.author_id, s.day, s.visits
  )
  insert into app.piece_sources as kept (piece_id, author_id, day, source, visits)
  select c.piece_id, c.author_id, c.day, '', sum(c.visits) from cut c group by c.piece_id, c.author_id, c.day
  on conflict (piece_id, day, source) do update set visits = kept.visits + excluded.visits;

  update app.sources_cut set day = days[cardinality(days)], piece_id = pieces[cardinality(pieces)];
  return cardinality(pieces);
end
$$;

revoke all on function app.cut_sources() from public;
grant execute on function app.cut_sources() to svc_worker;
