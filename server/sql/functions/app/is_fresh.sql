set local role svc_owner;

create or replace function app.is_fresh(p_session app.sessions) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select p_session.authenticated_at > clock_timestamp() - interval :'sensitive_action_window' $$;

revoke all on function app.is_fresh(app.sessions) from public;
grant execute on function app.is_fresh(app.sessions) to svc_publisher;
