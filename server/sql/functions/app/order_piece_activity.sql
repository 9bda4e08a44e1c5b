set local role svc_owner;

-- The activity by which other servers learn what has become of a piece. Its author's actor sends it, and that of the site shows
-- it to those who follow the site; where the author has none, the site's sends it.
create or replace function app.order_piece_activity(p_piece uuid, p_is_new boolean) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   pub.pieces;
  object  app.fediverse_objects;
  author  uuid;
  site    uuid;
begin
  select p.* into piece from pub.pieces p where p.id = p_piece;
  select o.* into object from app.fediverse_objects o where o.piece_id = p_piece order by o.number desc limit 1;
  if piece.id is null then
    if not object.has_gone then
      update app.fediverse_objects o set has_gone = true where o.id = object.id;
      perform app.order_fediverse_activity(object.actor_id, 'delete', p_piece, null, null);
    end if;
    return;
  end if;
  if not object.has_gone then
    perform app.order_fediverse_activity(a.id, 'update', p_piece, null, null)
       from app.fediverse_actors a where a.id = object.actor_id and a.is_on;
    return;
  end if;
  -- Pieces that arrive from elsewhere with an earlier date are not news, nor are those that were public before there was an
  -- actor; what other servers were asked to delete is sent again.
  if not p_is_new or (object.id is null and (piece.arrived_at is not null
                                             or piece.published_at <= clock_timestamp() - interval '1 day')) then
    return;
  end if;
  select a.id into author from app.fediverse_actors a where a.writer_id = piece.author_id and a.is_on;
  select a.id into site from app.fediverse_actors a where a.writer_id is null and a.is_on;
  if author is null and site is null then
    return;
  end if;
  insert into app.fediverse_objects (piece_id, number, actor_id)
  values (p_piece, coalesce(object.number + 1, 0), coalesce(author, site));
  perform app.order_fediverse_activity(coalesce(author, site), 'create', p_piece, null, null);
  if author is not null and site is not null then
    perform app.order_fediverse_activity(site, 'announce', p_piece, null, null);
  end if;
end
$$;

revoke all on function app.order_piece_activity(uuid, boolean) from public;
