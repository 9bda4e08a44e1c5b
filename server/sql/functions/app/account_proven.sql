set local role svc_owner;

-- The account whose password this proves, if the try was counted and is not yet used up; and then it is.
create or replace function app.account_proven(p_attempt uuid, p_email text, p_proof bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  -- Locked, so that a password that is changed this moment ends the session that the old one opens, or the old one
  -- opens none.
  select a.* into account from app.accounts a where a.email = p_email for no key update;
  update app.sign_in_attempts t set checked = true
   where t.id = p_attempt and not t.checked and t.account_key = app.attempt_key('account', p_email)
     and t.at > clock_timestamp() - interval '1 minute';
  if not found then
    return null;
  end if;
  -- Hashes are compared, so that the time it takes tells nothing of the proof.
  if account.email_verified_at is not null and account.disabled_at is null
     and sha256(account.password_proof) = sha256(p_proof) then
    update app.sign_in_attempts t set succeeded = true where t.id = p_attempt;
    return account.id;
  end if;
  return null;
end
$$;

revoke all on function app.account_proven(uuid, text, bytea) from public;
