set local role svc_owner;

-- A writer's actor ends with the account: the servers of its followers are asked to forget it and what it has sent.
create or replace function app.end_fediverse_actor(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  ended uuid;
begin
  update app.fediverse_actors a set is_on = false, ended_at = clock_timestamp()
   where a.writer_id = p_writer and a.ended_at is null returning a.id into ended;
  if ended is not null then
    perform app.order_fediverse_activity(ended, 'delete', null, null, null);
  end if;
end
$$;

revoke all on function app.end_fediverse_actor(uuid) from public;
