-- Reads: how often a public piece is read, and what is read most, without knowing by whom.
--
-- A reader is a mark: a hash of address, agent and piece with a salt that lives for one day (app.reader_salts), kept
-- until the day is over so that nobody counts twice. Salts and marks are unlogged: they stand in no archive, backup or
-- replica, and once a salt is deleted no mark leads anywhere. A crash of the server empties both; that day some readers
-- count again.
-- Public processes add reads in batches, through one function that can only add, and only to pieces that are public.
-- Whoever sends a batch again, not knowing whether it arrived, adds nothing: the marks are there already.
-- From the hourly counts the worker makes pub.trending (app.score_trending).
--
-- Lock: SHARE ROW EXCLUSIVE on app.pieces for an instant.

set local role svc_owner;

-- Today's alone.
create unlogged table app.reader_salts (
  day  date  primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- Of today and of yesterday, by turns, so that a day that is over is emptied at once instead of row by row.
create table app.read_marks (
  is_odd boolean not null,
  mark   uuid    not null,
  primary key (is_odd, mark)
) partition by list (is_odd);
create unlogged table app.read_marks_even partition of app.read_marks for values in (false);
create unlogged table app.read_marks_odd partition of app.read_marks for values in (true);

-- For good. The others refer to this one, so that a piece takes all its counts along when it is deleted.
create table app.piece_reads (
  piece_id  uuid   primary key references app.pieces on delete cascade,
  author_id uuid   not null,
  reads     bigint not null
);
create index piece_reads_of_author on app.piece_reads (author_id);

-- For good.
create table app.piece_reads_daily (
  piece_id  uuid    not null references app.piece_reads on delete cascade,
  author_id uuid    not null,
  day       date    not null,
  reads     integer not null,
  primary key (piece_id, day)
);
create index piece_reads_daily_of_author on app.piece_reads_daily (author_id, day, piece_id);

-- For 31 days.
create table app.piece_reads_hourly (
  piece_id uuid        not null references app.piece_reads on delete cascade,
  hour     timestamptz not null,
  reads    integer     not null,
  primary key (piece_id, hour)
);
create index piece_reads_by_hour on app.piece_reads_hourly (hour);

-- Where visitors came from, for 92 days. '' are all those beside the best of a piece and day.
create table app.piece_sources (
  piece_id  uuid    not null references app.piece_reads on delete cascade,
  author_id uuid    not null,
  day       date    not null,
  source    text    not null check (octet_length(source) <= 253),
  visits    integer not null,
  primary key (piece_id, day, source)
);
create index piece_sources_of_author on app.piece_sources (author_id, day);
create index piece_sources_by_day on app.piece_sources (day, piece_id);

-- One row: how far app.cut_sources has come.
create table app.sources_cut (
  day      date not null,
  piece_id uuid not null
);
insert into app.sources_cut values ('-infinity', '00000000-0000-0000-0000-000000000000');

-- Writers see their own.
alter table app.piece_reads enable row level security;
alter table app.piece_reads_daily enable row level security;
alter table app.piece_sources enable row level security;
create policy desk_reads_own on app.piece_reads for select to svc_desk
  using (author_id = (select app.session_writer()));
create policy desk_reads_own on app.piece_reads_daily for select to svc_desk
  using (author_id = (select app.session_writer()));
create policy desk_reads_own on app.piece_sources for select to svc_desk
  using (author_id = (select app.session_writer()));
grant select on app.piece_reads, app.piece_reads_daily, app.piece_sources to svc_desk;

-- What is read most, best first: of every category the first 500, and among them the first 500 of all.
create table pub.trending (
  span           text    not null check (span in ('24h', '7d', '30d')),
  place          integer not null check (place > 0),
  category       text    not null,
  category_place integer not null check (category_place between 1 and 500),
  piece_id       uuid    not null,
  score          real    not null,
  primary key (span, place)
);
create unique index trending_of_category on pub.trending (span, category, category_place);

create trigger guard_public before insert or update or delete or truncate on pub.trending
  for each statement execute function app.guard_public();
alter table pub.trending enable always trigger guard_public;

grant select on pub.trending to svc_public;
grant select, insert, delete on pub.trending to svc_publisher;
grant select on app.piece_reads_hourly to svc_publisher;

-- ---------------------------------------------------------------------------------------------- counting

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Those of `p_pieces` that nobody is at, and that nobody deletes before this transaction ends.
create function app.hold_pieces(p_pieces uuid[]) returns setof uuid
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  select p.id from app.pieces p where p.id = any (p_pieces) for key share skip locked
$$;

revoke all on function app.hold_pieces(uuid[]) from public;
grant execute on function app.hold_pieces(uuid[]) to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;

-- Whoever needs it first makes it. How long it lasts is told in seconds: clocks of processes may be wrong.
create function pub.reader_salt() returns table (day date, salt bytea, seconds_left double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  at    timestamp := clock_timestamp() at time zone 'UTC';
  today date := at::date;
begin
  delete from app.reader_salts s where s.day < today;
  insert into app.reader_salts (day, salt)
  values (today, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))
  on conflict do nothing;
  return query select s.day, s.salt, extract(epoch from today + 1 - at)::double precision
                 from app.reader_salts s where s.day = today;
end
$$;

-- Reads (no source) and visits (a source) whose marks are new, each mark of `p_day`; answers how many counted, and which
-- pieces are `waiting`: somebody is deleting them, which may take a minute and may fail, so their reads shall come again.
-- This never waits for whoever deletes. They count in the hour in which they arrive here. Everything is written in the
-- order of its key: two batches at once wait for each other instead of each for the other.
create function pub.add_reads(p_day date, p_marks uuid[], p_pieces uuid[], p_sources text[],
                              out counted integer, out waiting uuid[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  most_sources constant integer := 100;
  this_hour    timestamptz := date_trunc('hour', now(), 'UTC');
  today        date := (now() at time zone 'UTC')::date;
  public       uuid[];
  held         uuid[];
  unread       uuid[];
  pieces       uuid[];
  authors      uuid[];
  sources      text[];
begin
  counted := 0;
  waiting := '{}';
  -- Older marks are gone, and what they stood for could count again.
  if p_day is null or p_day not between today - 1 and today then
    return;
  end if;
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
    select distinct on (one.mark) one.mark, one.piece_id, p.author_id, one.source
      from unnest(p_marks, p_pieces, p_sources) as one (mark, piece_id, source)
      join unnest(held) as h (piece_id) on h.piece_id = one.piece_id
      join pub.pieces p on p.id = one.piece_id
     where one.mark is not null
  ), fresh as (
    insert into app.read_marks (is_odd, mark)
    select (p_day - date '2000-01-01') % 2 = 1, g.mark from given g order by g.mark
    on conflict do nothing returning mark
  )
  select array_agg(g.piece_id), array_agg(g.author_id), array_agg(g.source) into pieces, authors, sources
    from given g join fresh f on f.mark = g.mark;
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
    from unnest(pieces, sources) as r (piece_id, source) where r.source is null
   group by r.piece_id order by r.piece_id
  on conflict (piece_id, hour) do update set reads = kept.reads + excluded.reads;

  insert into app.piece_reads_daily as kept (piece_id, author_id, day, reads)
  select r.piece_id, r.author_id, today, count(*)
    from unnest(pieces, authors, sources) as r (piece_id, author_id, source) where r.source is null
   group by r.piece_id, r.author_id order by r.piece_id
  on conflict (piece_id, day) do update set reads = kept.reads + excluded.reads;

  -- A name that is new to a piece is kept while there is room, so that nobody fills the table with names.
  insert into app.piece_sources as kept (piece_id, author_id, day, source, visits)
  select named.piece_id, named.author_id, today, named.source, sum(named.visits)
    from (select v.piece_id, v.author_id, v.visits,
                 case when v.is_known or v.room >= row_number() over (partition by v.piece_id, v.is_known
                                                                      order by v.visits desc, v.source)
                      then v.source else '' end as source
            from (select r.piece_id, r.author_id, r.source, count(*) as visits,
                         exists (select from app.piece_sources s where s.piece_id = r.piece_id and s.day = today
                                                                   and s.source = r.source) as is_known,
                         most_sources - (select count(*) from app.piece_sources s
                                          where s.piece_id = r.piece_id and s.day = today) as room
                    from unnest(pieces, authors, sources) as r (piece_id, author_id, source)
                   where r.source is not null
                   group by r.piece_id, r.author_id, r.source) v) named
   group by named.piece_id, named.author_id, named.source order by named.piece_id, named.source
  on conflict (piece_id, day, source) do update set visits = kept.visits + excluded.visits;
end
$$;

-- Salts and marks of days that are over.
create function app.forget_readers() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  delete from app.reader_salts s where s.day < today;
  if (today - date '2000-01-01') % 2 = 1 then
    if exists (select from app.read_marks_even) then truncate app.read_marks_even; end if;
  else
    if exists (select from app.read_marks_odd) then truncate app.read_marks_odd; end if;
  end if;
end
$$;

-- Counts that have served their time, some thousands at once; answers how many. What somebody else deletes is theirs.
create function app.sweep_reads() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  at_once constant integer := 5000;
  today   date := (clock_timestamp() at time zone 'UTC')::date;
  hours   integer;
  sources integer;
begin
  delete from app.piece_reads_hourly where ctid = any (array(
    select h.ctid from app.piece_reads_hourly h where h.hour < now() - interval '31 days'
     limit at_once for update skip locked));
  get diagnostics hours = row_count;
  delete from app.piece_sources where ctid = any (array(
    select s.ctid from app.piece_sources s where s.day < today - 92
     limit at_once for update skip locked));
  get diagnostics sources = row_count;
  return hours + sources;
end
$$;

-- Of a day that is over each piece keeps its twenty best sources. Some hundred pieces at once, day by day, from where the
-- last one ended, however long ago that was; answers how many. A day is over for an hour first: a batch that was begun
-- before midnight may be kept after it.
create function app.cut_sources() returns integer
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

revoke all on function pub.reader_salt(), pub.add_reads(date, uuid[], uuid[], text[]), app.forget_readers(),
  app.sweep_reads(), app.cut_sources() from public;
grant execute on function pub.reader_salt(), pub.add_reads(date, uuid[], uuid[], text[]) to svc_public;
grant execute on function app.forget_readers(), app.sweep_reads(), app.cut_sources() to svc_worker;

-- ---------------------------------------------------------------------------------------------- what is read most

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Each read of a window counts 1 and halves with the window's half-life; equals are ordered newest first. Reads are known
-- by the hour, and taken for the middle of it. What this costs goes by the counts of 30 days, not by the pieces there are.
create function app.score_trending() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  longest      constant integer := 500;
  this_instant timestamptz := clock_timestamp();
begin
  perform pg_advisory_xact_lock(hashtextextended('app.score_trending', 0));
  -- Sorted in memory, by bytes: twice as fast where a hundred thousand pieces were read.
  perform set_config('work_mem', '64MB', true);
  delete from pub.trending;
  insert into pub.trending (span, place, category, category_place, piece_id, score)
  with aged as materialized (
    select hours.hour, greatest(extract(epoch from this_instant - hours.hour) / 3600 - 0.5, 0)::double precision as age
      from generate_series(date_trunc('hour', this_instant, 'UTC') - interval '30 days',
                           date_trunc('hour', this_instant, 'UTC'), interval '1 hour') as hours (hour)
  ), weighed as materialized (
    select a.hour, case when a.age < 24 then 0.5 ^ (a.age / 6) else 0 end as of_day,
           case when a.age < 168 then 0.5 ^ (a.age / 48) else 0 end as of_week,
           case when a.age < 720 then 0.5 ^ (a.age / 168) else 0 end as of_month
      from aged a
  ), summed as (
    select h.piece_id, sum(h.reads * w.of_day) as of_day, sum(h.reads * w.of_week) as of_week,
           sum(h.reads * w.of_month) as of_month
      from app.piece_reads_hourly h join weighed w on w.hour = h.hour
     group by h.piece_id
  ), scored as (
    select of.span, s.piece_id, p.category, p.published_at, of.score
      from summed s join pub.pieces p on p.id = s.piece_id,
           lateral (values ('24h', s.of_day), ('7d', s.of_week), ('30d', s.of_month)) as of (span, score)
     where of.score > 0
  ), placed as (
    select t.*, row_number() over (partition by t.span collate "C", t.category collate "C"
                                   order by t.score desc, t.published_at desc, t.piece_id desc) as category_place
      from scored t
  )
  select t.span, row_number() over (partition by t.span collate "C"
                                    order by t.score desc, t.published_at desc, t.piece_id desc),
         t.category, t.category_place, t.piece_id, t.score
    from placed t where t.category_place <= longest;
end
$$;

revoke all on function app.score_trending() from public;
grant execute on function app.score_trending() to svc_worker;

set local role svc_owner;
revoke create on schema app from svc_publisher;
