set local role svc_owner;

-- For the worker: the address that is notified of a change, and the hash of its link; none where the change was
-- cancelled meanwhile.
create or replace function app.recovery_token(p_account uuid, p_token_hash bytea) returns table (email text, at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  change app.email_changes;
begin
  perform from app.accounts a where a.id = p_account for no key update;
  select c.* into change from app.email_changes c
   where c.account_id = p_account and c.expires_at > clock_timestamp();
  if change.account_id is null then
    return;
  end if;
  insert into app.mail_tokens (token_hash, account_id, kind, email, expires_at)
  values (p_token_hash, p_account, 'recover', change.former_email,
          change.expires_at + case when change.confirmed_at is null then interval :'email_change_undo' else interval '0' end);
  return query select change.former_email, coalesce(change.confirmed_at, change.asked_at);
end
$$;

revoke all on function app.recovery_token(uuid, bytea) from public;
grant execute on function app.recovery_token(uuid, bytea) to svc_worker;
