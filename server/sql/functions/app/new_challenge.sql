set local role svc_owner;

create or replace function app.new_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea, p_nonce_hash bytea)
  returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.challenges (challenge_hash, purpose, account_id, nonce_hash)
    values (p_challenge_hash, p_purpose, app.challenge_holder(p_purpose, p_holder), p_nonce_hash)
  $$;

revoke all on function app.new_challenge(bytea, text, bytea, bytea) from public;
grant execute on function app.new_challenge(bytea, text, bytea, bytea) to svc_desk;
