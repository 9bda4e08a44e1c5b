set local role svc_owner;

-- For the account's own page; no row for whom it is not.
create or replace function app.suspension_of(p_session_hash bytea) returns table (at timestamptz, reason text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select s.at, s.reason from app.suspensions s join app.writers w on w.id = s.writer_id
     where w.account_id = (app.signed_in(p_session_hash)).account_id
  $$;

revoke all on function app.suspension_of(bytea) from public;
grant execute on function app.suspension_of(bytea) to svc_desk;
