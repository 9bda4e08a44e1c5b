set local role svc_owner;

-- One row an hour at most, however many tries: an attacker must not fill the history.
create or replace function app.record_failed_sign_in() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(a.id, 'sign_in_failed')
     from app.sign_in_attempts t join app.accounts a on app.attempt_key('account', a.email) = t.account_key
    where t.id = new.id and not t.succeeded
      and not exists (select from app.security_events e
                       where e.account_id = a.id and e.act = 'sign_in_failed' and e.at > now() - interval '1 hour');
  return null;
end
$$;

revoke all on function app.record_failed_sign_in() from public;
