set local role svc_owner;

-- Answers whether there was one.
create or replace function app.cancel_email(p_session_hash bytea) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  delete from app.email_changes c where c.account_id = session.account_id and c.confirmed_at is null;
  return found;
end
$$;

revoke all on function app.cancel_email(bytea) from public;
grant execute on function app.cancel_email(bytea) to svc_desk;
