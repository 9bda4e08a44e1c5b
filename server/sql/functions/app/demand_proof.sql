set local role svc_owner;

create or replace function app.demand_proof(p_session_hash bytea, p_policy text, p_nonce_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session     app.sessions := app.signed_in(p_session_hash);
  moderates   boolean := (select a.role <> 'writer' from app.accounts a where a.id = session.account_id);
  has_passkey boolean := exists (select from app.passkeys k where k.account_id = session.account_id);
  by_passkey  boolean := session.authenticated_by = 'passkey';
  is_recent   boolean := session.authenticated_at > clock_timestamp() - interval :'proof_window';
  is_shown    boolean := case
    when p_nonce_hash is null then by_passkey and app.is_fresh(session)
    else exists (select from app.publish_nonces n
                  where n.nonce_hash = p_nonce_hash and n.session_id = session.id and n.proved_at is not null) end;
begin
  if p_policy = 'passkey' and not has_passkey then
    raise exception 'error.passkey_missing' using errcode = 'SF403';
  elsif (p_policy = 'passkey' and not is_shown) or (moderates and has_passkey and not (by_passkey and is_recent)) then
    raise exception 'error.passkey_required' using errcode = 'SF4PP';
  elsif (p_policy = 'recent' or moderates) and not is_recent then
    raise exception 'error.sign_in_too_old' using errcode = 'SF42R', detail = '{"hours":12}';
  end if;
end
$$;

revoke all on function app.demand_proof(bytea, text, bytea) from public;
grant execute on function app.demand_proof(bytea, text, bytea) to svc_desk;
