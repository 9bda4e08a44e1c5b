set local role svc_owner;

-- One row for the ten of them.
create or replace function app.record_recovery_codes() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_setting('app.codes_made', true) is distinct from new.account_id::text then
    perform set_config('app.codes_made', new.account_id::text, true);
    perform app.record_event(new.account_id, 'recovery_codes_made');
  end if;
  return null;
end
$$;

revoke all on function app.record_recovery_codes() from public;
