set local role svc_owner;

create or replace function app.unblock_server(p_host text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not app.session_moderates() then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  delete from app.blocked_servers b where b.host = p_host;
end
$$;

revoke all on function app.unblock_server(text) from public;
grant execute on function app.unblock_server(text) to svc_desk;
