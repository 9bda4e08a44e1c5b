set local role svc_owner;

-- What was received longer ago than any signature is valid, at most so many rows. Returns how many it forgot.
create or replace function app.sweep_fediverse(p_most integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  week      timestamptz := clock_timestamp() - interval '7 days';
  forgotten integer;
begin
  delete from app.fediverse_server_days d where d.day < (week at time zone 'UTC')::date;
  delete from app.fediverse_received r
   where r.key in (select o.key from app.fediverse_received o where o.received_at <= week limit p_most for update skip locked);
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

revoke all on function app.sweep_fediverse(integer) from public;
grant execute on function app.sweep_fediverse(integer) to svc_worker;
