set local role svc_owner;

-- What has served its time.
create or replace function app.sweep_reports() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    delete from app.reports where settled_at < clock_timestamp() - interval :'settled_report_retention';
    delete from app.report_salts where day < (clock_timestamp() at time zone 'UTC')::date;
  $$;

revoke all on function app.sweep_reports() from public;
grant execute on function app.sweep_reports() to svc_worker;
