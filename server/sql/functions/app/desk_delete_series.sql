set local role svc_publisher;

-- Its pieces stay as they are.
create or replace function app.desk_delete_series(p_session_hash bytea, p_series uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
begin
  delete from app.series s where s.id = p_series and s.writer_id = mine.id;
  if not found then
    raise exception 'error.series_not_found' using errcode = 'SF404';
  end if;
  perform app.copy_series(p_series);
end
$$;

revoke all on function app.desk_delete_series(bytea, uuid) from public;
grant execute on function app.desk_delete_series(bytea, uuid) to svc_desk;
