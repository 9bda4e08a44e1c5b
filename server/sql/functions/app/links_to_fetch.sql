set local role svc_publisher;

-- For the worker: tried once and twice more, and again after a month where the piece has been published again.
create or replace function app.links_to_fetch(p_piece uuid) returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select c.url from pub.link_cards c
     where c.piece_id = p_piece
       and (c.tried_at is null or c.tried_at < clock_timestamp() - interval '30 days'
            or (c.title is null and c.attempts < 3));
end
$$;

revoke all on function app.links_to_fetch(uuid) from public;
grant execute on function app.links_to_fetch(uuid) to svc_worker;
