set local role svc_owner;

-- Deletes what has served its time, of one kind and 5,000 at most; answers how many they were. now(), which does not
-- move within a statement, lets the index find them.
create or replace function app.sweep_accounts(p_kind text) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  most  constant integer := 5000;
  swept integer;
begin
  case p_kind
    when 'sign_in_attempts' then
      delete from app.sign_in_attempts where id in (
        select o.id from app.sign_in_attempts o where o.at < now() - interval :'sign_in_attempt_retention'
         order by o.at limit most for update skip locked);
    when 'challenges' then
      delete from app.challenges where challenge_hash in (
        select o.challenge_hash from app.challenges o where o.expires_at < now()
         order by o.expires_at limit most for update skip locked);
    when 'mail_tokens' then
      delete from app.mail_tokens where token_hash in (
        select o.token_hash from app.mail_tokens o where o.expires_at < now() - interval '1 day'
         order by o.expires_at limit most for update skip locked);
    when 'sessions' then
      delete from app.sessions where id in (
        select o.id from app.sessions o where o.expires_at < now() - interval :'ended_session_retention'
         order by o.expires_at limit most for update skip locked);
    when 'accounts' then
      delete from app.accounts where id in (
        select o.id from app.accounts o
         where o.email_verified_at is null and o.signed_up_at < now() - interval :'unverified_account_lifetime'
           and not exists (select from app.writers w where w.account_id = o.id)
         order by o.signed_up_at limit most for update skip locked);
  end case;
  get diagnostics swept = row_count;
  return swept;
end
$$;

revoke all on function app.sweep_accounts(text) from public;
grant execute on function app.sweep_accounts(text) to svc_worker;
