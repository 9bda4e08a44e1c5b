set local role svc_owner;

-- The private key of an actor, as it is encrypted.
create or replace function app.fediverse_key(p_actor uuid) returns bytea
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.private_key from app.fediverse_actors a where a.id = p_actor
  $$;

revoke all on function app.fediverse_key(uuid) from public;
grant execute on function app.fediverse_key(uuid) to svc_worker;
