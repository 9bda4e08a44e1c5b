set local role svc_owner;

-- For the email that quotes the reason; no row where it ended meanwhile.
create or replace function app.suspension_to_tell(p_account uuid) returns table (email text, at timestamptz, reason text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.email, s.at, s.reason
      from app.suspensions s join app.writers w on w.id = s.writer_id join app.accounts a on a.id = w.account_id
     where a.id = p_account and a.disabled_at is null
  $$;

revoke all on function app.suspension_to_tell(uuid) from public;
grant execute on function app.suspension_to_tell(uuid) to svc_worker;
