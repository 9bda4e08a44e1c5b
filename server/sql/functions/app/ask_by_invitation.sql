set local role svc_owner;

-- Before an email is asked for. The answer depends on the invitation alone, never on the address.
create or replace function app.ask_by_invitation(p_token_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.invitations i set asked = i.asked + 1
   where i.token_hash = p_token_hash and i.used_at is null and i.expires_at > clock_timestamp() and i.asked < 5;
  if not found then
    raise exception 'error.invitation_expired' using errcode = 'SF410';
  end if;
end
$$;

revoke all on function app.ask_by_invitation(bytea) from public;
grant execute on function app.ask_by_invitation(bytea) to svc_desk;
