set local role svc_owner;

create or replace function app.renew_session_by_passkey(p_session_hash bytea, p_credential_id bytea, p_seal bytea,
                                             p_counter bigint, p_token_hash bytea, p_nonce_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  if app.account_sealed(p_credential_id, p_seal, p_counter, session.account_id) is null then
    return null;
  end if;
  update app.publish_nonces n set proved_at = clock_timestamp()
   where n.nonce_hash = p_nonce_hash and n.session_id = session.id and n.used_at is null;
  perform app.continue_session(session, p_token_hash, 'passkey');
  return session.account_id;
end
$$;

revoke all on function app.renew_session_by_passkey(bytea, bytea, bytea, bigint, bytea, bytea) from public;
grant execute on function app.renew_session_by_passkey(bytea, bytea, bytea, bigint, bytea, bytea) to svc_desk;
