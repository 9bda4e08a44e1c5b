set local role svc_owner;

-- How many pieces the account of this session may publish now; null where nothing limits it.
create or replace function app.allowance_left(p_session_hash bytea, p_first_day integer, p_first_week integer) returns integer
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select case when a.used < a.most then a.most - a.used when a.most is not null then 0 end
      from app.signed_in(p_session_hash) s, app.allowance_of(s.account_id, null, p_first_day, p_first_week) a
  $$;

revoke all on function app.allowance_left(bytea, integer, integer) from public;
grant execute on function app.allowance_left(bytea, integer, integer) to svc_desk;
