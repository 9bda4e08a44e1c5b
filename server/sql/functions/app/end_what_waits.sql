set local role svc_owner;

-- What may have been begun before the account's owner set a new password or signed all others out. A change of address
-- that was made keeps its undo; an account that was to be deleted stays.
create or replace function app.end_what_waits(p_account uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.email_changes c where c.account_id = p_account and c.confirmed_at is null;
  update app.mail_tokens t set used_at = clock_timestamp()
   where t.account_id = p_account and t.used_at is null and t.kind <> 'recover';
  delete from app.challenges c where c.account_id = p_account;
  perform app.keep_account(p_account);
end
$$;

revoke all on function app.end_what_waits(uuid) from public;
