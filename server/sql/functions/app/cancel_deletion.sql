set local role svc_owner;

-- Answers whether it was to be deleted.
create or replace function app.cancel_deletion(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_account_of(p_session_hash);
  return app.keep_account((app.signed_in(p_session_hash)).account_id);
end
$$;

revoke all on function app.cancel_deletion(bytea) from public;
grant execute on function app.cancel_deletion(bytea) to svc_desk;
