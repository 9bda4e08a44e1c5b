set local role svc_owner;

-- A new password by a link in an email, not in a session: what was made before by whomever ends.
create or replace function app.drop_recovery_codes() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if app.noted_session() is null then
    delete from app.recovery_codes c where c.account_id = new.id;
  end if;
  return null;
end
$$;

revoke all on function app.drop_recovery_codes() from public;
