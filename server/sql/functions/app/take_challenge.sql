set local role svc_owner;

-- True once, for whom and for what it was made, within five minutes.
create or replace function app.take_challenge(p_challenge_hash bytea, p_purpose text, p_holder bytea, p_nonce_hash bytea)
  returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  holder uuid := app.challenge_holder(p_purpose, p_holder);
begin
  delete from app.challenges c
   where c.challenge_hash = p_challenge_hash and c.purpose = p_purpose and c.account_id is not distinct from holder
     and c.nonce_hash is not distinct from p_nonce_hash and c.expires_at > clock_timestamp();
  return found;
end
$$;

revoke all on function app.take_challenge(bytea, text, bytea, bytea) from public;
grant execute on function app.take_challenge(bytea, text, bytea, bytea) to svc_desk;
