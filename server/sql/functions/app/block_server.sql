set local role svc_owner;

-- A moderator blocks a server and its subdomains: its followers and what it sent about pieces are forgotten.
create or replace function app.block_server(p_host text, p_reason text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.acting_session();
begin
  if not app.session_moderates() then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  insert into app.blocked_servers as b (host, blocked_by, reason) values (p_host, session.account_id, p_reason)
  on conflict (host) do update set reason = excluded.reason;
  delete from app.fediverse_followers f where app.is_blocked_server(f.server);
  delete from app.fediverse_reactions r where app.is_blocked_server(r.server);
end
$$;

revoke all on function app.block_server(text, text) from public;
grant execute on function app.block_server(text, text) to svc_desk;
