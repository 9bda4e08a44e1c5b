set local role svc_owner;

create or replace function app.sweep_decisions() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.decisions d set kept = null
     where d.kept is not null and d.at < clock_timestamp() - interval :'appeal_period'
       and (d.appealed_at is null or d.outcome is not null)
  $$;

revoke all on function app.sweep_decisions() from public;
grant execute on function app.sweep_decisions() to svc_worker;
