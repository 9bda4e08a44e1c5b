set local role svc_owner;

-- Reads (no source) and visits (a source) whose marks are new, each mark of `p_day`; answers how many counted, how many
-- were over a limit, and which pieces are `waiting`: they are being deleted, which may take a minute and may fail, so
-- their reads shall come again. This never waits for a deletion. They count in the hour in which they arrive here.
-- `p_networks` are marks of a network for its reads or its visits, of which `p_per_minute` count; `p_ranks` are marks of
-- a network and a piece, of which `p_ranked` go into its rank.
-- Everything is written in the order of its key, networks before marks before ranks before counts: two batches at once
-- wait for each other instead of each for the other.
create or replace function pub.add_reads(p_day date, p_marks uuid[], p_pieces uuid[], p_sources text[], p_networks uuid[],
                              p_ranks uuid[], p_per_minute integer, p_ranked integer,
                              out counted integer, out limited integer, out waiting uuid[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  most_sources constant integer := 100;
  this_minute  timestamptz := date_trunc('minute', now());
  this_hour    timestamptz := date_trunc('hour', now(), 'UTC');
  today        date := (now() at time zone 'UTC')::date;
  odd          boolean := (p_day - date '2000-01-01') % 2 = 1;
  public       uuid[];
  held         uuid[];
  unread       uuid[];
  pieces       uuid[];
  authors      uuid[];
  sources      text[];
  ranking      boolean[];
begin
  counted := 0;
  limited := 0;
  waiting := '{}';
  -- Older marks are gone, and what they stood for could count again.
  if p_day is null or p_day not between today - 1 and today then
    return;
  end if;
  -- Marks grow from nothing to millions in a day: a plan that was made in the morning would read them all at noon.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  -- Counts are held against deletion, and against nothing else: other batches hold the same ones.
  public := array(select p.id from pub.pieces p where p.id = any (p_pieces));
  held := array(select k.piece_id from app.piece_reads k where k.piece_id = any (public) for key share skip locked);
  if cardinality(held) < cardinality(public) then
    unread := array(select p.id from unnest(public) as p (id)
                     where not exists (select from app.piece_reads k where k.piece_id = p.id));
    held := held || array(select app.hold_pieces(unread));
    waiting := array(select p.id from unnest(public) as p (id) except select h.id from unnest(held) as h (id));
  end if;

  with given as materialized (
    select distinct on (one.mark) one.mark, one.piece_id, p.author_id, one.source, one.network, one.ranks
      from unnest(p_marks, p_pieces, p_sources, p_networks, p_ranks)
             as one (mark, piece_id, source, network, ranks)
      join unnest(held) as h (piece_id) on h.piece_id = one.piece_id
      join pub.pieces p on p.id = one.piece_id
     where one.mark is not null and one.network is not null
       and not exists (select from app.read_marks m where m.is_odd = odd and m.mark = one.mark)
  ), networks as (
    -- A batch that waited here for another may be a minute late: the minute never turns back.
    insert into app.read_limits as kept (is_odd, mark, since, used)
    select odd, g.network, this_minute, count(*) from given g group by g.network order by g.network
    on conflict (is_odd, mark) do update set since = greatest(kept.since, excluded.since),
      used = excluded.used + case when kept.since < excluded.since then 0 else kept.used end
    returning mark, used
  ), within as materialized (
    select g.mark, g.piece_id, g.author_id, g.source, g.ranks
      from (select one.*, count(*) over (partition by one.network) as asked,
                   row_number() over (partition by one.network order by one.mark) as place from given one) g
      join networks n on n.mark = g.network
     where n.used - g.asked + g.place <= p_per_minute
  ), marked as materialized (
    insert into app.read_marks (is_odd, mark)
    select odd, w.mark from within w order by w.mark
    on conflict do nothing returning mark
  ), fresh as materialized (
    select w.*, count(*) over (partition by w.ranks) as asked,
           row_number() over (partition by w.ranks order by w.mark) as place
      from within w join marked m on m.mark = w.mark
  ), ranks as (
    insert into app.read_limits as kept (is_odd, mark, since, used)
    select odd, f.ranks, '-infinity', count(*) from fresh f where f.source is null and f.ranks is not null
     group by f.ranks order by f.ranks
    on conflict (is_odd, mark) do update set used = kept.used + excluded.used
    returning mark, used
  )
  select array_agg(f.piece_id), array_agg(f.author_id), array_agg(f.source),
         array_agg(f.source is null and coalesce(r.used - f.asked + f.place <= p_ranked, false)),
         (select count(*) from given) - (select count(*) from within)
    into pieces, authors, sources, ranking, limited
    from fresh f left join ranks r on r.mark = f.ranks;
  if pieces is null then
    return;
  end if;
  counted := cardinality(pieces);

  insert into app.piece_reads as kept (piece_id, author_id, reads)
  select r.piece_id, r.author_id, count(*) filter (where r.source is null)
    from unnest(pieces, authors, sources) as r (piece_id, author_id, source)
   group by r.piece_id, r.author_id order by r.piece_id
  on conflict (piece_id) do update set reads = kept.reads + excluded.reads;

  insert into app.piece_reads_hourly as kept (piece_id, hour, reads)
  select r.piece_id, this_hour, count(*)
    from unnest(pieces, ranking) as r (piece_id, is_ranked) where r.is_ranked
   group by r.piece_id order by r.piece_id
  on conflict (piece_id, hour) do update set reads = kept.reads + excluded.reads;

  insert into app.piece_reads_daily as kept (piece_id, author_id, day, reads)
  select r.piece_id, r.author_id, today, count(*)
    from unnest(pieces, authors, sources) as r (piece_id, author_id, source) where r.source is null
   group by r.piece_id, r.author_id order by r.piece_id
  on conflict (piece_id, day) do update set reads = kept.reads + excluded.reads;

  -- A name that is new to a piece is kept up to a limit, so that the table cannot be filled with names.
  insert into app.piece_sources as kept (piece_id, author_id, day, source, visits)
  select named.piece_id, named.author_id, today, named.source, sum(named.visits)
    from (select v.piece_id, v.author_id, v.visits,
                 case when v.is_known or v.free >= row_number() over (partition by v.piece_id, v.is_known
                                                                      order by v.visits desc, v.source)
                      then v.source else '' end as source
            from (select r.piece_id, r.author_id, r.source, count(*) as visits,
                         exists (select from app.piece_sources s where s.piece_id = r.piece_id and s.day = today
                                                                   and s.source = r.source) as is_known,
                         most_sources - (select count(*) from app.piece_sources s
                                          where s.piece_id = r.piece_id and s.day = today) as free
                    from unnest(pieces, authors, sources) as r (piece_id, author_id, source)
                   where r.source is not null
                   group by r.piece_id, r.author_id, r.source) v) named
   group by named.piece_id, named.author_id, named.source order by named.piece_id, named.source
  on conflict (piece_id, day, source) do update set visits = kept.visits + excluded.visits;
end
$$;

revoke all on function pub.add_reads(date, uuid[], uuid[], text[], uuid[], uuid[], integer, integer) from public;
grant execute on function pub.add_reads(date, uuid[], uuid[], text[], uuid[], uuid[], integer, integer) to svc_public;
