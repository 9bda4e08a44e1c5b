set local role svc_owner;

-- What one can follow to hear of a public piece; null if it is not public.
create or replace function app.announced_subjects(p_piece uuid) returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select array['site', 'author:' || p.author_id, 'section:' || p.category]
           || array(select 'author:' || c from unnest(p.co_authors) c)
           || array(select 'topic:' || t.topic from pub.piece_topics t where t.piece_id = p.id order by t.place)
           || array(select 'series:' || s.series_id from pub.series_pieces s where s.piece_id = p.id)
      from pub.pieces p where p.id = p_piece
  $$;

revoke all on function app.announced_subjects(uuid) from public;
