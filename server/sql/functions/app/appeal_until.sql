set local role svc_owner;

create or replace function app.appeal_until(p_decision app.decisions) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select p_decision.at + interval :'appeal_period' $$;

revoke all on function app.appeal_until(app.decisions) from public;
grant execute on function app.appeal_until(app.decisions) to svc_publisher;
