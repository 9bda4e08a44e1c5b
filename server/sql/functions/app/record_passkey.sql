set local role svc_owner;

create or replace function app.record_passkey() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' then
    perform app.record_event(old.account_id, 'passkey_deleted', jsonb_build_object('name', old.name));
  else
    perform app.record_event(new.account_id, 'passkey_added', jsonb_build_object('name', new.name));
  end if;
  return null;
end
$$;

revoke all on function app.record_passkey() from public;
