set local role svc_owner;

-- An activity that its sender has signed takes effect, once. `p_target` is an actor or a piece of ours, `p_object` a hash of what
-- can be taken back. A follow is answered with `p_accept`.
create or replace function app.receive_fediverse_activity(
    p_activity bytea, p_server text, p_act text, p_from text, p_target uuid, p_object bytea, p_inbox text,
    p_shared_inbox text, p_accept jsonb) returns text
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  today    date := (clock_timestamp() at time zone 'UTC')::date;
  own      bytea := sha256(convert_to(p_from, 'UTF8'));
  received integer;
begin
  -- One after another for each account: a Follow and its Undo may arrive at once.
  perform pg_advisory_xact_lock(hashtextextended(p_from, 27));
  if app.is_blocked_server(p_server) then
    return 'blocked';
  end if;
  insert into app.fediverse_received (key) values (p_activity) on conflict do nothing;
  if not found then
    return 'known';
  end if;
  insert into app.fediverse_server_days as d (day, server, count) values (today, p_server, 1)
  on conflict on constraint fediverse_server_days_pkey do update set count = d.count + 1
  returning d.count into received;
  if received > :fediverse_activities_per_server then
    delete from app.fediverse_received r where r.key = p_activity;
    return 'server';
  end if;

  if p_act = 'follow' then
    if not exists (select from app.fediverse_actors a where a.id = p_target and a.is_on) then
      return 'nobody';
    end if;
    insert into app.fediverse_followers (actor_id, key, follower, inbox, shared_inbox, server)
    values (p_target, own, p_from, p_inbox, p_shared_inbox, p_server)
    on conflict (actor_id, key) do update set inbox = excluded.inbox, shared_inbox = excluded.shared_inbox;
    -- Also to one who follows already: their server may have missed the last answer.
    perform app.order_fediverse_activity(p_target, 'accept', null, p_accept, array[p_inbox]);
  elsif p_act = 'unfollow' then
    delete from app.fediverse_followers f where f.actor_id = p_target and f.key = own;
  elsif p_act in ('like', 'share', 'reply') then
    insert into app.fediverse_reactions (piece_id, kind, actor, object, server)
    select p.id, p_act, own, p_object, p_server from pub.pieces p where p.id = p_target
    on conflict (piece_id, kind, actor) do nothing;
  elsif p_act in ('unlike', 'unshare') then
    delete from app.fediverse_reactions r
     where r.piece_id = p_target and r.kind = case p_act when 'unlike' then 'like' else 'share' end and r.actor = own;
  elsif p_act = 'undo' then
    delete from app.fediverse_reactions r where r.actor = own and r.object = p_object;
  elsif p_act = 'delete_actor' then
    delete from app.fediverse_followers f where f.key = own;
    delete from app.fediverse_reactions r where r.actor = own;
  end if;
  return 'received';
end
$$;

revoke all on function app.receive_fediverse_activity(bytea, text, text, text, uuid, bytea, text, text, jsonb) from public;
grant execute on function app.receive_fediverse_activity(bytea, text, text, text, uuid, bytea, text, text, jsonb) to svc_desk;
