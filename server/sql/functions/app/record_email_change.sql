set local role svc_owner;

-- What was asked for and lies there unconfirmed for too long is swept, which is no act.
create or replace function app.record_email_change() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op = 'DELETE' then
    if old.confirmed_at is null and old.expires_at > clock_timestamp() then
      perform app.record_event(old.account_id, 'email_cancelled', jsonb_build_object('to', old.email));
    end if;
  else
    perform app.record_event(new.account_id, 'email_asked', jsonb_build_object('to', new.email));
  end if;
  return null;
end
$$;

revoke all on function app.record_email_change() from public;
