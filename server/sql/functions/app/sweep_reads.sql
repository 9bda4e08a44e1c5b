set local role svc_owner;

-- Counts that have served their time, some thousands at once; answers how many. Rows that another worker is deleting are skipped.
create or replace function app.sweep_reads() returns integer
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

revoke all on function app.sweep_reads() from public;
grant execute on function app.sweep_reads() to svc_worker;
