set local role svc_owner;

create or replace function app.record_account() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if new.email_verified_at is not null and old.email_verified_at is null then
    perform app.record_event(new.id, 'signed_up');
  elsif new.password_proof is distinct from old.password_proof then
    perform app.record_event(new.id, case when app.noted_session() is null then 'password_reset' else 'password_set' end);
  end if;
  if new.email <> old.email then
    perform app.record_event(
      new.id,
      case when exists (select from app.email_changes c where c.account_id = new.id and c.email = new.email)
           then 'email_confirmed' else 'email_undone' end,
      jsonb_build_object('from', old.email, 'to', new.email));
  end if;
  if new.role <> old.role then
    perform app.record_event(new.id, 'role_changed', jsonb_build_object('from', old.role, 'to', new.role));
  end if;
  if (new.disabled_at is null) <> (old.disabled_at is null) then
    perform app.record_event(new.id, case when new.disabled_at is null then 'enabled' else 'disabled' end);
  end if;
  return null;
end
$$;

revoke all on function app.record_account() from public;
