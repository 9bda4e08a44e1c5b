set local role svc_publisher;

-- Whatever makes pieces public, or public again: the series they are in have them.
create or replace function app.show_in_series() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.copy_series(s.id)
     from (select distinct m.series_id as id from app.series_pieces m join shown n on n.id = m.piece_id) s;
  return null;
end
$$;

revoke all on function app.show_in_series() from public;
grant execute on function app.show_in_series() to svc_owner;
