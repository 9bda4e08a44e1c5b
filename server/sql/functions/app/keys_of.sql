set local role svc_owner;

create or replace function app.keys_of(p_session_hash bytea)
  returns table (id uuid, name text, head text, tail text, scopes text[], created_at timestamptz,
                 expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select k.id, k.name, k.head, k.tail, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.last_used_at
      from app.api_keys k join app.writers w on w.id = k.writer_id
     where w.account_id = session.account_id
     order by k.created_at desc, k.id;
end
$$;

revoke all on function app.keys_of(bytea) from public;
grant execute on function app.keys_of(bytea) to svc_desk;
