set local role svc_owner;

create or replace function app.is_new_writer(p_session_hash bytea, p_pieces integer) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select app.is_new_account((app.signed_in(p_session_hash)).account_id, p_pieces) $$;

revoke all on function app.is_new_writer(bytea, integer) from public;
grant execute on function app.is_new_writer(bytea, integer) to svc_desk;
