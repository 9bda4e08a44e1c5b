set local role svc_owner;

-- One row for all that end together. A session that gives way to a new one, of the same browser or as the eleventh, is
-- no act of its own.
create or replace function app.record_sign_out() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_setting('app.signed_out', true) = new.account_id::text
     or exists (select from app.sessions s where s.account_id = new.account_id and s.authenticated_at = now()) then
    return null;
  end if;
  perform set_config('app.signed_out', new.account_id::text, true);
  perform app.record_event(new.account_id, 'sessions_ended', jsonb_build_object('count', (
            select count(*) from app.sessions s where s.account_id = new.account_id and s.revoked_at >= now())));
  return null;
end
$$;

revoke all on function app.record_sign_out() from public;
