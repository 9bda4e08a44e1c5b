set local role svc_owner;

-- Salts, marks and limits of days that are over.
create or replace function app.forget_readers() returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  delete from app.reader_salts s where s.day < today;
  if (today - date '2000-01-01') % 2 = 1 then
    if exists (select from app.read_marks_even) then truncate app.read_marks_even; end if;
    if exists (select from app.read_limits_even) then truncate app.read_limits_even; end if;
  else
    if exists (select from app.read_marks_odd) then truncate app.read_marks_odd; end if;
    if exists (select from app.read_limits_odd) then truncate app.read_limits_odd; end if;
  end if;
end
$$;

revoke all on function app.forget_readers() from public;
grant execute on function app.forget_readers() to svc_worker;
