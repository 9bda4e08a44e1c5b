set local role svc_publisher;

-- Each read of a window counts 1 and halves with the window's half-life; equals are ordered newest first. Reads are known
-- by the hour, and taken for the middle of it. What this costs goes by the counts of 30 days, not by the pieces there are.
create or replace function app.score_trending() returns void
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
