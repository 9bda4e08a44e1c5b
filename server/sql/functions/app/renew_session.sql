set local role svc_owner;

-- The same person, just proven again, under a new token; the old one ends.
create or replace function app.renew_session(p_session_hash bytea, p_attempt uuid, p_proof bytea, p_token_hash bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  account uuid;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  account := app.account_proven(
    p_attempt, (select a.email from app.accounts a where a.id = session.account_id), p_proof);
  if account is null then
    return null;
  end if;
  perform app.continue_session(session, p_token_hash, 'password');
  return account;
end
$$;

revoke all on function app.renew_session(bytea, uuid, bytea, bytea) from public;
grant execute on function app.renew_session(bytea, uuid, bytea, bytea) to svc_desk;
