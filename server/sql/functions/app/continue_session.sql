set local role svc_owner;

-- The same session under a new token; the old token no longer works.
create or replace function app.continue_session(p_session app.sessions, p_token_hash bytea, p_method text) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.sessions s
       set token_hash = p_token_hash, authenticated_by = p_method, authenticated_at = clock_timestamp(),
           last_seen_at = clock_timestamp(), expires_at = clock_timestamp() + interval :'session_lifetime'
     where s.id = p_session.id
  $$;

revoke all on function app.continue_session(app.sessions, bytea, text) from public;
