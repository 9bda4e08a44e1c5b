set local role svc_owner;

create or replace function app.acting_session() returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hash bytea := app.acting_hash('app.session_hash');
begin
  return case when hash is not null then app.session_of(hash) end;
end
$$;

revoke all on function app.acting_session() from public;
