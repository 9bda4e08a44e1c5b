set local role svc_owner;

-- The encrypted key of this actor, or of another that is on, to ask another server for an account: some answer only who signs.
create or replace function app.fediverse_signer(p_actor uuid) returns table (id uuid, private_key bytea)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select a.id, a.private_key from app.fediverse_actors a where a.is_on
     order by a.id = p_actor desc nulls last, a.writer_id is null desc limit 1
  $$;

revoke all on function app.fediverse_signer(uuid) from public;
grant execute on function app.fediverse_signer(uuid) to svc_desk;
