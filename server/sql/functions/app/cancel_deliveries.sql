set local role svc_publisher;

-- Deletes the pending deliveries of a piece that is no longer public, bodies included.
create or replace function app.cancel_deliveries() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.webhooks w where w.writer_id in (select g.author_id from gone g)
    order by w.writer_id for no key update;
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d
     where d.piece_id in (select g.id from gone g) and d.state in ('pending', 'held', 'exhausted')));
  update app.deliveries d set body = null
   where d.piece_id in (select g.id from gone g) and d.state = 'delivered' and d.body is not null;
  -- The attempt that was under way frees a slot.
  update app.webhooks w set ready_at = least(w.ready_at, clock_timestamp())
   where w.writer_id in (select g.author_id from gone g) and w.ready_at is not null;
  return null;
end
$$;

revoke all on function app.cancel_deliveries() from public;
grant execute on function app.cancel_deliveries() to svc_owner;
