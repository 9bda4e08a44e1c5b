set local role svc_owner;

-- Whom a challenge is for. `p_holder` is the hash of the session or of the email token that asks.
create or replace function app.challenge_holder(p_purpose text, p_holder bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return case p_purpose
    when 'reauthenticate' then (app.signed_in(p_holder)).account_id
    when 'register' then (app.freshly_signed_in(p_holder)).account_id
    when 'first_passkey' then (app.live_token(p_holder, 'verify')).account_id
  end;
end
$$;

revoke all on function app.challenge_holder(text, bytea) from public;
