set local role svc_owner;

create or replace function app.sign_out(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_account_of(p_session_hash);
  update app.sessions s set revoked_at = clock_timestamp() where s.token_hash = p_session_hash and s.revoked_at is null;
end
$$;

revoke all on function app.sign_out(bytea) from public;
grant execute on function app.sign_out(bytea) to svc_desk;
