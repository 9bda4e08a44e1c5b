set local role svc_owner;

-- One that was sent to an address goes with the account that has it, used or not.
create or replace function app.forget_invitations() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.invitations i where i.email = old.email;
  return null;
end
$$;

revoke all on function app.forget_invitations() from public;
