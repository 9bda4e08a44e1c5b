set local role svc_owner;

-- By the link in the email. Every session ends but the one that came with it, if it is the account's own.
create or replace function app.confirm_email(p_token_hash bytea, p_session_hash bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  change  app.email_changes;
  session app.sessions := app.session_of(p_session_hash);
  account app.accounts;
begin
  select a.* into account from app.accounts a
   where a.id = (select c.account_id from app.email_changes c where c.token_hash = p_token_hash) for no key update;
  select c.* into change from app.email_changes c
   where c.token_hash = p_token_hash and c.expires_at > clock_timestamp();
  if change.account_id is null or account.disabled_at is not null
     or app.is_email_taken(change.email, change.account_id) then
    raise exception 'error.link_expired' using errcode = 'SF410';
  end if;
  -- A sign-up that nobody confirmed gives way; one that is being confirmed at this moment is waited for and stays.
  delete from app.accounts a where a.email = change.email and a.id <> account.id and a.email_verified_at is null;
  update app.accounts a set email = change.email, email_verified_at = clock_timestamp() where a.id = account.id;
  update app.email_changes c
     set confirmed_at = clock_timestamp(), expires_at = clock_timestamp() + interval :'email_change_undo', token_hash = null
   where c.account_id = account.id;
  perform app.end_what_waits(account.id);
  perform app.end_sessions(account.id, case when session.account_id = account.id then session.id end);
  return account.id;
exception
  when unique_violation then
    raise exception 'error.link_expired' using errcode = 'SF410';
end
$$;

revoke all on function app.confirm_email(bytea, bytea) from public;
grant execute on function app.confirm_email(bytea, bytea) to svc_desk;
