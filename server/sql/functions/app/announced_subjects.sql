set local role svc_owner;

-- What one can follow to hear of a public piece; null if it is not public.
create or replace function app.announced_subjects(p_piece uuid) returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select app.feed_subjects(p.id, p.author_id, p.co_authors, p.category, p.tags) from pub.pieces p where p.id = p_piece
  $$;

revoke all on function app.announced_subjects(uuid) from public;
