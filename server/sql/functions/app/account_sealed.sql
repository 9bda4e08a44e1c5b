set local role svc_owner;

-- The account whose passkey this is, if the seal is the server's and the counter has moved on, as it does on
-- authenticators that have one: a counter that stands still is a copy's. `p_expected` is the only account it may be.
create or replace function app.account_sealed(p_credential_id bytea, p_seal bytea, p_counter bigint, p_expected uuid) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  sealed uuid;
begin
  -- Locked for the same reason as with passwords.
  perform from app.accounts a
    where a.id = (select k.account_id from app.passkeys k where k.credential_id = p_credential_id) for no key update;
  update app.passkeys k set counter = p_counter, last_used_at = clock_timestamp()
    from app.accounts a
   where k.credential_id = p_credential_id and k.seal_hash = sha256(p_seal)
     and (k.counter < p_counter or (k.counter = 0 and p_counter = 0))
     and a.id = k.account_id and a.email_verified_at is not null and a.disabled_at is null
     and (p_expected is null or a.id = p_expected)
  returning a.id into sealed;
  return sealed;
end
$$;

revoke all on function app.account_sealed(bytea, bytea, bigint, uuid) from public;
