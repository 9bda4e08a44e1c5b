set local role svc_publisher;

-- When the newest public piece with an author's name was published; null if there is none.
create or replace function app.last_published(p_author uuid) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select greatest((select max(p.published_at) from pub.pieces p where p.author_id = p_author),
                    (select max(l.published_at) from pub.piece_co_authors l where l.author_id = p_author))
  $$;

revoke all on function app.last_published(uuid) from public;
