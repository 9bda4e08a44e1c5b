set local role svc_owner;

create or replace function app.account_safety_of(p_session_hash bytea)
  returns table (delete_asked_at timestamptz, delete_at timestamptz, codes_left integer, codes_made_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.delete_asked_at, a.delete_at,
           (select count(*)::integer from app.recovery_codes c where c.account_id = a.id and c.used_at is null),
           (select max(c.created_at) from app.recovery_codes c where c.account_id = a.id)
      from app.accounts a where a.id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.account_safety_of(bytea) from public;
grant execute on function app.account_safety_of(bytea) to svc_desk;
