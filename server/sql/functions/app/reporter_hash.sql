set local role svc_owner;

create or replace function app.reporter_hash(p_address text) returns bytea
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today date := (clock_timestamp() at time zone 'UTC')::date;
begin
  delete from app.report_salts s where s.day < today;
  insert into app.report_salts (day, salt)
  values (today, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))
  on conflict (day) do nothing;
  return (select sha256(s.salt || convert_to(p_address, 'UTF8')) from app.report_salts s where s.day = today);
end
$$;

revoke all on function app.reporter_hash(text) from public;
