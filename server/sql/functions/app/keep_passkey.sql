set local role svc_owner;

-- Its callers have locked the account, so that two cannot both be the twentieth.
create or replace function app.keep_passkey(p_account uuid, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                 p_transports text[], p_name text, p_seal_hash bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept uuid;
begin
  if (select count(*) from app.passkeys k where k.account_id = p_account) >= 20 then
    raise exception 'error.too_many_passkeys' using errcode = 'SF419', detail = '{"limit":20}';
  end if;
  insert into app.passkeys (account_id, credential_id, public_key, counter, transports, name, seal_hash)
  values (p_account, p_credential_id, p_public_key, p_counter, p_transports, p_name, p_seal_hash)
  on conflict (credential_id) do nothing
  returning id into kept;
  if kept is null then
    raise exception 'error.passkey_known' using errcode = 'SF4PK';
  end if;
  return kept;
end
$$;

revoke all on function app.keep_passkey(uuid, bytea, bytea, bigint, text[], text, bytea) from public;
