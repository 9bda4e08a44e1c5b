set local role svc_owner;

-- For the worker, once there is an account to confirm. Answers whether the invitation still works.
create or replace function app.invite_account(p_email text, p_token_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.accounts a set invitation_id = i.id
    from app.invitations i
   where a.email = p_email and a.email_verified_at is null
     and i.token_hash = p_token_hash and i.used_at is null and i.expires_at > clock_timestamp();
  return found;
end
$$;

revoke all on function app.invite_account(text, bytea) from public;
grant execute on function app.invite_account(text, bytea) to svc_worker;
