set local role svc_owner;

-- An author's name, picture or address is another one: those who follow them in the fediverse see it. The actor stays the same, so
-- that a renamed author keeps all followers.
create or replace function app.note_actor_change() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.order_fediverse_activity(a.id, 'update_actor', null, null, null)
     from app.fediverse_actors a where a.writer_id = new.id and a.is_on;
  return null;
end
$$;

revoke all on function app.note_actor_change() from public;
