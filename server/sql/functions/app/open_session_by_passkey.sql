set local role svc_owner;

create or replace function app.open_session_by_passkey(p_credential_id bytea, p_seal bytea, p_counter bigint,
                                                       p_token_hash bytea, p_user_agent text, p_address text,
                                                       p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account uuid := app.account_sealed(p_credential_id, p_seal, p_counter, null);
begin
  if account is null then
    return null;
  end if;
  perform app.start_session_by_passkey(account, p_token_hash, p_user_agent, p_address, p_replaced);
  return account;
end
$$;

revoke all on function app.open_session_by_passkey(bytea, bytea, bigint, bytea, text, text, bytea) from public;
grant execute on function app.open_session_by_passkey(bytea, bytea, bigint, bytea, text, text, bytea) to svc_desk;
