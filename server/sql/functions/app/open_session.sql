set local role svc_owner;

-- Answers with the account; null where the proof is wrong, since an error would undo the count.
create or replace function app.open_session(p_attempt uuid, p_email text, p_proof bytea,
                                 p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.account_proven(p_attempt, p_email, p_proof);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

revoke all on function app.open_session(uuid, text, bytea, bytea, text, text, bytea) from public;
grant execute on function app.open_session(uuid, text, bytea, bytea, text, text, bytea) to svc_desk;
