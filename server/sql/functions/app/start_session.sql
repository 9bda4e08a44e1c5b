set local role svc_owner;

-- A session of 14 days; the oldest above ten ends. `p_replaced` is the session this browser had until now.
-- Its callers have locked the account, so that two sign-ins cannot both be the tenth.
create or replace function app.start_session(p_account uuid, p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  started uuid;
begin
  update app.sessions s set revoked_at = clock_timestamp() where s.token_hash = p_replaced and s.revoked_at is null;
  insert into app.sessions (account_id, token_hash, user_agent, address, expires_at)
  values (p_account, p_token_hash, left(p_user_agent, 400), left(p_address, 64), clock_timestamp() + interval :'session_lifetime')
  returning id into started;
  update app.sessions s set revoked_at = clock_timestamp()
   where s.id in (select o.id from app.sessions o
                   where o.account_id = p_account and o.revoked_at is null and o.expires_at > clock_timestamp()
                   order by o.id = started desc, o.created_at desc, o.id offset 10);
end
$$;

revoke all on function app.start_session(uuid, bytea, text, text, bytea) from public;
