set local role svc_owner;

-- Whether nothing is accepted from a host, or sent to it: it or a domain above it is blocked. A port makes no difference.
create or replace function app.is_blocked_server(p_host text) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.blocked_servers b
                    where split_part(p_host, ':', 1) = b.host or split_part(p_host, ':', 1) like '%.' || b.host)
  $$;

revoke all on function app.is_blocked_server(text) from public;
