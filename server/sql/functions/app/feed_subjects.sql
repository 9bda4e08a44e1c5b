set local role svc_owner;

-- What the feeds and follows that have a piece are of.
create or replace function app.feed_subjects(p_piece uuid, p_author uuid, p_co_authors uuid[], p_category text, p_tags text[])
  returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select array_remove(array['site', 'author:' || p_author, 'section:' || p_category], null)
           || array(select 'author:' || c from unnest(p_co_authors) c)
           || array(select distinct 'topic:' || pub.topic_of(t) from unnest(p_tags) t where pub.topic_of(t) is not null)
           || array(select 'series:' || s.series_id from pub.series_pieces s where s.piece_id = p_piece)
  $$;

revoke all on function app.feed_subjects(uuid, uuid, uuid[], text, text[]) from public;
