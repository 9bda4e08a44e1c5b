set local role svc_owner;

create or replace function app.use_invitation() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.invitations i set used_at = clock_timestamp(), used_by = new.id, email = null
   where i.id = new.invitation_id and i.used_at is null and i.expires_at > clock_timestamp();
  if not found then
    raise exception 'error.invitation_expired' using errcode = 'SF410';
  end if;
  return null;
end
$$;

revoke all on function app.use_invitation() from public;
