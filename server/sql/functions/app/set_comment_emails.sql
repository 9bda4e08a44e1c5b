set local role svc_owner;

create or replace function app.set_comment_emails(p_session_hash bytea, p_wanted boolean) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  update app.accounts a set comment_emails = p_wanted where a.id = session.account_id;
end
$$;

revoke all on function app.set_comment_emails(bytea, boolean) from public;
grant execute on function app.set_comment_emails(bytea, boolean) to svc_desk;
