set local role svc_owner;

create or replace function app.end_sessions(p_account uuid, p_but uuid) returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  ended integer;
begin
  update app.sessions s set revoked_at = clock_timestamp()
   where s.account_id = p_account and s.revoked_at is null and s.id is distinct from p_but;
  get diagnostics ended = row_count;
  return ended;
end
$$;

revoke all on function app.end_sessions(uuid, uuid) from public;
