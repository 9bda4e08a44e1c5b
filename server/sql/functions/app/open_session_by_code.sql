set local role svc_owner;

-- As app.open_session, with a code, which is then used up. Every other session ends, and what waits. Answers with the
-- account; null where the code is wrong, since an error would undo the count.
create or replace function app.open_session_by_code(p_attempt uuid, p_email text, p_code_hash bytea,
                                         p_token_hash bytea, p_user_agent text, p_address text, p_replaced bytea)
  returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
begin
  select a.* into account from app.accounts a where a.email = p_email for no key update;
  update app.sign_in_attempts t set checked = true
   where t.id = p_attempt and not t.checked and t.account_key = app.attempt_key('account', p_email)
     and t.at > clock_timestamp() - interval '1 minute';
  if not found or account.email_verified_at is null or account.disabled_at is not null then
    return null;
  end if;
  update app.recovery_codes c set used_at = clock_timestamp()
   where c.account_id = account.id and c.code_hash = p_code_hash and c.used_at is null;
  if not found then
    return null;
  end if;
  update app.sign_in_attempts t set succeeded = true where t.id = p_attempt;
  perform app.end_what_waits(account.id);
  perform app.end_sessions(account.id, null);
  perform app.start_session(account.id, p_token_hash, p_user_agent, p_address, p_replaced);
  update app.sessions s set authenticated_by = 'recovery_code' where s.token_hash = p_token_hash;
  return account.id;
end
$$;

revoke all on function app.open_session_by_code(uuid, text, bytea, bytea, text, text, bytea) from public;
grant execute on function app.open_session_by_code(uuid, text, bytea, bytea, text, text, bytea) to svc_desk;
