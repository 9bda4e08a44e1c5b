set local role svc_owner;

-- Sign-ups with it that are not confirmed yet can no longer be confirmed.
create or replace function app.withdraw_invitation(p_session_hash bytea, p_invitation uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  delete from app.invitations i where i.id = p_invitation and i.used_at is null;
  if not found then
    raise exception 'error.invitation_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.withdraw_invitation(bytea, uuid) from public;
grant execute on function app.withdraw_invitation(bytea, uuid) to svc_desk;
