set local role svc_owner;

-- Whether the key at work has this scope, or made the draft itself. Without pieces:write it may nothing.
create or replace function app.key_may(p_scope text, p_begun_by uuid default null) returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
begin
  return coalesce('pieces:write' = any (live.scopes) and (
    p_scope = any (live.scopes)
    or p_scope = 'drafts:read' and 'drafts:edit' = any (live.scopes)
    or live.id = p_begun_by), false);
end
$$;

revoke all on function app.key_may(text, uuid) from public;
grant execute on function app.key_may(text, uuid) to svc_api, svc_publisher;
