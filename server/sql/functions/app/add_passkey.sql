set local role svc_owner;

create or replace function app.add_passkey(p_session_hash bytea, p_credential_id bytea, p_public_key bytea, p_counter bigint,
                                p_transports text[], p_name text, p_seal_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  kept    uuid;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.freshly_signed_in(p_session_hash);
  kept := app.keep_passkey(session.account_id, p_credential_id, p_public_key, p_counter, p_transports, p_name,
                           p_seal_hash);
  perform app.end_sessions(session.account_id, session.id);
  return kept;
end
$$;

revoke all on function app.add_passkey(bytea, bytea, bytea, bigint, text[], text, bytea) from public;
grant execute on function app.add_passkey(bytea, bytea, bytea, bigint, text[], text, bytea) to svc_desk;
