set local role svc_owner;

-- For moderators, the last first.
create or replace function app.servers_blocked() returns table (host text, reason text, blocked_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not app.session_moderates() then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  return query select b.host, b.reason, b.blocked_at from app.blocked_servers b order by b.blocked_at desc, b.host;
end
$$;

revoke all on function app.servers_blocked() from public;
grant execute on function app.servers_blocked() to svc_desk;
