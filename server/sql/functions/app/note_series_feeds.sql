set local role svc_owner;

-- The feeds of series whose parts are others now, or in another order.
create or replace function app.note_series_feeds() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.feed_changes (subjects)
  select array_agg(distinct 'series:' || m.series_id) from moved m having count(*) > 0;
  return null;
end
$$;

revoke all on function app.note_series_feeds() from public;
