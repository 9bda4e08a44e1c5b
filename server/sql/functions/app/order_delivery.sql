set local role svc_publisher;

-- A piece becomes public: one delivery to its writer's webhook. A piece that was unpublished before it was delivered
-- is delivered when it is published again.
create or replace function app.order_delivery() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook   app.webhooks;
  number bigint;
begin
  if old.first_published_at is null then
    update app.writers w set published = w.published + 1 where w.id = new.writer_id returning w.published into number;
  else
    select max(d.sequence) into number from app.deliveries d
     where d.piece_id = new.id
    having bool_and(d.state = 'cancelled' and not exists (
             select from app.delivery_attempts a where a.delivery_id = d.id and a.status between 200 and 299));
  end if;
  select w.* into hook from app.webhooks w where w.writer_id = new.writer_id for no key update;
  if number is null or hook.live_since is null then
    return null;
  end if;
  insert into app.deliveries (writer_id, event, piece_id, sequence, state, held_at)
  values (new.writer_id, 'piece.published', new.id, number, case hook.state when 'live' then 'pending' else 'held' end,
          case when hook.state <> 'live' then clock_timestamp() end);
  if hook.state = 'live' then
    perform app.line_up(new.writer_id);
  end if;
  return null;
end
$$;

revoke all on function app.order_delivery() from public;
grant execute on function app.order_delivery() to svc_owner;
