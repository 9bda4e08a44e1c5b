set local role svc_owner;

-- Switches the actor of the signed-in writer, or of the site by a moderator, on or off. A first one is made with this id and
-- these keys; what was there keeps its own. Returns its id; null where there is none to switch off, or no keys were given.
create or replace function app.set_fediverse(
    p_site boolean, p_is_on boolean, p_id uuid, p_public_pem text, p_private_key bytea) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer  uuid := app.fediverse_owner(p_site);
  changed uuid;
begin
  update app.fediverse_actors a set
    is_on = p_is_on,
    switched_on_at = case when p_is_on and not a.is_on then clock_timestamp() else a.switched_on_at end
   where a.writer_id is not distinct from writer returning a.id into changed;
  if changed is null and p_is_on and p_id is not null then
    insert into app.fediverse_actors (id, writer_id, public_key, private_key, is_on, switched_on_at)
    values (p_id, writer, p_public_pem, p_private_key, true, clock_timestamp())
    returning id into changed;
  end if;
  return changed;
end
$$;

revoke all on function app.set_fediverse(boolean, boolean, uuid, text, bytea) from public;
grant execute on function app.set_fediverse(boolean, boolean, uuid, text, bytea) to svc_desk;
