set local role svc_owner;

create or replace function app.sweep_sign_ups() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    delete from app.sign_up_emails e where e.hour < now() - interval '2 days';
    delete from app.invitations i where i.expires_at < now() - interval :'expired_invitation_retention';
  $$;

revoke all on function app.sweep_sign_ups() from public;
grant execute on function app.sweep_sign_ups() to svc_worker;
