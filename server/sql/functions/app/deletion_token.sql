set local role svc_owner;

-- For the worker: where the email goes and what it says, and the link's hash kept for it; none where it was cancelled.
create or replace function app.deletion_token(p_account uuid, p_token_hash bytea) returns table (email text, at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  select a.* into account from app.accounts a where a.id = p_account and a.delete_at is not null for no key update;
  if not found then
    return;
  end if;
  insert into app.mail_tokens (token_hash, account_id, kind, expires_at)
  values (p_token_hash, p_account, 'keep', account.delete_at);
  return query select account.email, account.delete_at;
end
$$;

revoke all on function app.deletion_token(uuid, bytea) from public;
grant execute on function app.deletion_token(uuid, bytea) to svc_worker;
