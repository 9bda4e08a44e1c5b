set local role svc_owner;

-- The one meaning of a live session: neither ended nor disabled, under 14 days old, seen in the last 24 hours.
create or replace function app.session_of(p_session_hash bytea) returns app.sessions
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select s.* from app.sessions s join app.accounts a on a.id = s.account_id
     where s.token_hash = p_session_hash and s.revoked_at is null and a.disabled_at is null
       and s.expires_at > clock_timestamp() and s.last_seen_at > clock_timestamp() - interval :'session_idle'
  $$;

revoke all on function app.session_of(bytea) from public;
grant execute on function app.session_of(bytea) to svc_publisher;
