set local role svc_owner;

-- By the link in the email: confirms the address and signs in.
create or replace function app.add_first_passkey(p_letter_hash bytea, p_credential_id bytea, p_public_key bytea,
                                                 p_counter bigint, p_transports text[], p_passkey_name text,
                                                 p_seal_hash bytea, p_name text, p_slug text, p_search_text text,
                                                 p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token app.mail_tokens := app.take_token(p_letter_hash, 'verify');
begin
  perform app.keep_passkey(token.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_passkey_name,
                           p_seal_hash);
  perform app.welcome(token.account_id, p_name, p_slug, p_search_text);
  perform app.start_session_by_passkey(token.account_id, p_token_hash, p_user_agent, p_address, p_replaced);
  return token.account_id;
end
$$;

revoke all on function app.add_first_passkey(bytea, bytea, bytea, bigint, text[], text, bytea, text, text, text, bytea, text, text, bytea) from public;
grant execute on function app.add_first_passkey(bytea, bytea, bytea, bigint, text[], text, bytea, text, text, text, bytea, text, text, bytea) to svc_desk;
