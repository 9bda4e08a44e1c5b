set local role svc_owner;

-- The actor of the signed-in writer, or of the site for a moderator. No row if it was never switched on.
create or replace function app.fediverse_of(p_site boolean) returns table (id uuid, is_on boolean, followers integer)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.fediverse_owner(p_site);
begin
  return query
    select a.id, a.is_on, a.followers from app.fediverse_actors a where a.writer_id is not distinct from writer;
end
$$;

revoke all on function app.fediverse_of(boolean) from public;
grant execute on function app.fediverse_of(boolean) to svc_desk;
