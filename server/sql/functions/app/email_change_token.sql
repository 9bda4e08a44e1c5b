set local role svc_owner;

-- For the worker: where the email goes, and the hash of its token; null where none goes.
create or replace function app.email_change_token(p_account uuid, p_token_hash bytea) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  wanted text;
begin
  update app.email_changes c set token_hash = p_token_hash
    from app.accounts a
   where c.account_id = p_account and c.expires_at > clock_timestamp() and c.confirmed_at is null
     and a.id = c.account_id and a.disabled_at is null and a.email <> c.email
     and not app.is_email_taken(c.email, c.account_id)
  returning c.email into wanted;
  return wanted;
end
$$;

revoke all on function app.email_change_token(uuid, bytea) from public;
grant execute on function app.email_change_token(uuid, bytea) to svc_worker;
