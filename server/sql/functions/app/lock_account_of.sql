set local role svc_owner;

-- One act at a time for each account.
create or replace function app.lock_account_of(p_session_hash bytea) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.accounts a
    where a.id = (select s.account_id from app.sessions s where s.token_hash = p_session_hash) for no key update;
end
$$;

revoke all on function app.lock_account_of(bytea) from public;
