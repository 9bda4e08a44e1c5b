set local role svc_owner;

-- The first caller of a day makes it. How long it lasts is returned in seconds: clocks of processes may be wrong.
create or replace function pub.reader_salt() returns table (day date, salt bytea, seconds_left double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  at    timestamp := clock_timestamp() at time zone 'UTC';
  today date := at::date;
begin
  delete from app.reader_salts s where s.day < today;
  insert into app.reader_salts (day, salt)
  values (today, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))
  on conflict do nothing;
  return query select s.day, s.salt, extract(epoch from today + 1 - at)::double precision
                 from app.reader_salts s where s.day = today;
end
$$;

revoke all on function pub.reader_salt() from public;
grant execute on function pub.reader_salt() to svc_public;
