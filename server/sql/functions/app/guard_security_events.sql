set local role svc_owner;

-- Rows are added, and go with their account or after a year. No role can change them otherwise.
create or replace function app.guard_security_events() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' and (old.at < now() - interval :'security_event_retention'
                           or not exists (select from app.accounts a where a.id = old.account_id)) then
    return old;
  end if;
  raise insufficient_privilege using message = 'the security history is only ever added to';
end
$$;

revoke all on function app.guard_security_events() from public;
