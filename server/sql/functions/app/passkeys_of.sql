set local role svc_owner;

create or replace function app.passkeys_of(p_session_hash bytea)
  returns table (id uuid, name text, credential_id bytea, transports text[], created_at timestamptz,
                 last_used_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select k.id, k.name, k.credential_id, k.transports, k.created_at, k.last_used_at
      from app.passkeys k where k.account_id = (app.signed_in(p_session_hash)).account_id
     order by k.created_at, k.id
  $$;

revoke all on function app.passkeys_of(bytea) from public;
grant execute on function app.passkeys_of(bytea) to svc_desk;
