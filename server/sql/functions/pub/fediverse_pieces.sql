set local role svc_owner;

-- Which actor posts each of these public pieces, and as which object (app.fediverse_objects): the actor that sent it last, or its
-- author's, or that of the site where the author has none. Only of actors that are on.
create or replace function pub.fediverse_pieces(p_pieces uuid[])
  returns table (piece_id uuid, actor_id uuid, number integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.id, a.id, coalesce(last.number + last.has_gone::integer, 0)
      from pub.pieces p
           left join lateral (select o.actor_id, o.number, o.has_gone from app.fediverse_objects o
                               where o.piece_id = p.id order by o.number desc limit 1) last on true
           left join app.fediverse_actors own on own.writer_id = p.author_id and own.is_on
           left join app.fediverse_actors site on site.writer_id is null and site.is_on
           join app.fediverse_actors a
             on a.id = coalesce(case when not last.has_gone then last.actor_id end, own.id, site.id) and a.is_on
     where p.id = any (p_pieces)
  $$;

revoke all on function pub.fediverse_pieces(uuid[]) from public;
grant execute on function pub.fediverse_pieces(uuid[]) to svc_public, svc_desk, svc_worker;
