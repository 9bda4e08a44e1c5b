set local role svc_publisher;

-- Whatever hides pieces: the series they were in no longer have them.
create or replace function app.leave_series() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.copy_series(s.id)
     from (select distinct m.series_id as id from pub.series_pieces m join gone g on g.id = m.piece_id) s;
  return null;
end
$$;

revoke all on function app.leave_series() from public;
grant execute on function app.leave_series() to svc_owner;
