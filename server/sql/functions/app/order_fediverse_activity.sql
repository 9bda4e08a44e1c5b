set local role svc_owner;

-- An actor sends an activity, to those inboxes or, without any, to those of all its followers, which a worker finds. A piece is
-- sent as the object that it is now. Returns the id of the activity; null if the piece is no object.
create or replace function app.order_fediverse_activity(
    p_actor uuid, p_kind text, p_piece uuid, p_document jsonb, p_inboxes text[]) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  object  uuid;
  ordered uuid;
begin
  if p_piece is not null then
    select o.id into object from app.fediverse_objects o where o.piece_id = p_piece order by o.number desc limit 1;
    if not found then
      return null;
    end if;
  end if;
  insert into app.fediverse_activities (actor_id, kind, object_id, document, is_expanded)
  values (p_actor, p_kind, object, case when object is null then p_document end, p_inboxes is not null)
  returning id into ordered;
  perform app.order_fediverse_deliveries(ordered, array(select distinct unnest(p_inboxes)));
  return ordered;
end
$$;

revoke all on function app.order_fediverse_activity(uuid, text, uuid, jsonb, text[]) from public;
