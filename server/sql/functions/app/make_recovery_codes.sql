set local role svc_owner;

-- Ten new ones in place of those before.
create or replace function app.make_recovery_codes(p_session_hash bytea, p_hashes bytea[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  delete from app.recovery_codes c where c.account_id = session.account_id;
  insert into app.recovery_codes (account_id, code_hash)
  select session.account_id, h from unnest(p_hashes) h order by h limit 10;
end
$$;

revoke all on function app.make_recovery_codes(bytea, bytea[]) from public;
grant execute on function app.make_recovery_codes(bytea, bytea[]) to svc_desk;
