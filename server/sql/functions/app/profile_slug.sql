set local role svc_owner;

-- The address of a writer's public profile, once there is one.
create or replace function app.profile_slug(p_writer uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select a.slug from pub.authors a where a.id = p_writer);
end
$$;

revoke all on function app.profile_slug(uuid) from public;
grant execute on function app.profile_slug(uuid) to svc_api;
