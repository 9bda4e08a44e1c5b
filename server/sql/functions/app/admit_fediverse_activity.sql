set local role svc_owner;

-- Whether an activity is worth fetching the key of who sent it; nothing of it is verified yet. Returns `new`, `known` for one that
-- was handled, `nobody` if it concerns nobody here, `blocked`, or the limit that is reached: `network` or `server`.
create or replace function app.admit_fediverse_activity(
    p_server text, p_network text, p_activity bytea, p_actor bytea, p_act text) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today   date := (clock_timestamp() at time zone 'UTC')::date;
  -- Counted apart from the forms of readers who follow by email.
  network bytea := app.reporter_hash('fediverse ' || p_network);
  asked   integer;
begin
  if app.is_blocked_server(p_server) then
    return 'blocked';
  end if;
  insert into app.follow_requests as r (day, network, count) values (today, network, 1)
  on conflict on constraint follow_requests_pkey do update set count = r.count + 1
  returning r.count into asked;
  if asked > :fediverse_requests_per_network then
    return 'network';
  end if;
  if exists (select from app.fediverse_received r where r.key = p_activity) then
    return 'known';
  end if;
  if exists (select from app.fediverse_server_days d
              where d.day = today and d.server = p_server and d.count >= :fediverse_activities_per_server) then
    return 'server';
  end if;
  -- Servers tell all others of each account that is deleted: most have never done anything here.
  if p_act in ('undo', 'delete_actor')
     and not exists (select from app.fediverse_followers f where f.key = p_actor)
     and not exists (select from app.fediverse_reactions r where r.actor = p_actor) then
    return 'nobody';
  end if;
  return 'new';
end
$$;

revoke all on function app.admit_fediverse_activity(text, text, bytea, bytea, text) from public;
grant execute on function app.admit_fediverse_activity(text, text, bytea, bytea, text) to svc_desk;
