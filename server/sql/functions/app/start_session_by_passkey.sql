set local role svc_owner;

create or replace function app.start_session_by_passkey(p_account uuid, p_token_hash bytea, p_user_agent text, p_address text,
                                             p_replaced bytea) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.start_session(p_account, p_token_hash, p_user_agent, p_address, p_replaced);
  update app.sessions s set authenticated_by = 'passkey' where s.token_hash = p_token_hash;
end
$$;

revoke all on function app.start_session_by_passkey(uuid, bytea, text, text, bytea) from public;
