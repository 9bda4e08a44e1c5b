set local role svc_publisher;

-- The topics with most pieces, each with the spelling that most of them use. Counted by the worker: counts kept by the
-- transactions that publish would make them wait for each other.
create or replace function app.count_topics() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  longest constant integer := 500;
begin
  perform pg_advisory_xact_lock(hashtextextended('app.count_topics', 0));
  perform set_config('work_mem', '64MB', true);
  delete from pub.topics;
  insert into pub.topics (topic, name, pieces_count)
  with spelled as (
    select t.topic, t.name, count(*)::integer as pieces from pub.piece_topics t group by t.topic, t.name
  )
  select s.topic, (array_agg(s.name order by s.pieces desc, s.name collate "C"))[1], sum(s.pieces)
    from spelled s group by s.topic order by sum(s.pieces) desc, s.topic limit longest;
end
$$;

revoke all on function app.count_topics() from public;
grant execute on function app.count_topics() to svc_worker;
