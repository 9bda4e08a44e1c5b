set local role svc_owner;

-- A session that goes on under another token is no sign-in.
create or replace function app.record_sign_in() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.sessions s where s.id = app.noted_session() and s.account_id = new.account_id
                    and s.revoked_at >= now()) then
    perform app.record_event(s.account_id, 'signed_in', jsonb_build_object(
              'by', s.authenticated_by, 'address', s.address, 'browser', s.user_agent))
       from app.sessions s where s.id = new.id;
  end if;
  return null;
end
$$;

revoke all on function app.record_sign_in() from public;
