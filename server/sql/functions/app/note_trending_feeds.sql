set local role svc_owner;

-- What is read most was counted again.
create or replace function app.note_trending_feeds() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.feed_changes (subjects) values (array['trending']);
  return null;
end
$$;

revoke all on function app.note_trending_feeds() from public;
