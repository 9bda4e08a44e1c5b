set local role svc_owner;

-- Every session ends; wrong tries at the old password no longer count.
create or replace function app.reset_password(p_token_hash bytea, p_params text, p_proof bytea, p_remove uuid[]) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  token   app.mail_tokens := app.take_token(p_token_hash, 'reset');
  account uuid := token.account_id;
begin
  if token.kind = 'recover' then
    delete from app.accounts a where a.email = token.email and a.id <> account and a.email_verified_at is null;
    update app.accounts a set email = token.email where a.id = account and a.email <> token.email;
    delete from app.email_changes c where c.account_id = account;
  end if;
  perform app.keep_password(account, p_params, p_proof);
  perform app.end_what_waits(account);
  delete from app.passkeys k where k.account_id = account and k.id = any (p_remove);
  update app.api_keys k set revoked_at = clock_timestamp()
    from app.writers w
   where w.id = k.writer_id and w.account_id = account and k.id = any (p_remove) and k.revoked_at is null;
  delete from app.previews v where v.account_id = account and (v.revision is not null or v.id = any (p_remove));
  delete from app.sign_in_attempts t
   where t.account_key = app.attempt_key('account', (select a.email from app.accounts a where a.id = account));
  perform app.end_sessions(account, null);
  return account;
exception
  when unique_violation then
    raise exception 'error.address_taken' using errcode = 'SF409';
end
$$;

revoke all on function app.reset_password(bytea, text, bytea, uuid[]) from public;
grant execute on function app.reset_password(bytea, text, bytea, uuid[]) to svc_desk;
