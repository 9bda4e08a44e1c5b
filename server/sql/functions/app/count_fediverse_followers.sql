set local role svc_owner;

-- Keeps the number that an actor shows, whichever way followers come and go. In the order of the actors, so that two at once wait
-- for each other instead of each for the other.
create or replace function app.count_fediverse_followers() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  step integer := case tg_op when 'INSERT' then 1 else -1 end;
  one  record;
begin
  for one in select c.actor_id, count(*)::integer as count from changed c group by c.actor_id order by c.actor_id loop
    update app.fediverse_actors a set followers = a.followers + step * one.count where a.id = one.actor_id;
  end loop;
  return null;
end
$$;

revoke all on function app.count_fediverse_followers() from public;
