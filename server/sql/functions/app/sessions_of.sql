set local role svc_owner;

create or replace function app.sessions_of(p_session_hash bytea)
  returns table (id uuid, user_agent text, address text, created_at timestamptz, last_seen_at timestamptz,
                 expires_at timestamptz, is_this_one boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select s.id, s.user_agent, s.address, s.created_at, s.last_seen_at, s.expires_at, s.token_hash = p_session_hash
      from app.sessions s
     where s.account_id = (app.signed_in(p_session_hash)).account_id and s.revoked_at is null
       and s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - interval :'session_idle'
     order by s.last_seen_at desc, s.id
  $$;

revoke all on function app.sessions_of(bytea) from public;
grant execute on function app.sessions_of(bytea) to svc_desk;
