-- What the map of the house for crawlers is read from (features/pieces/sitemap.ts, features/authors/sitemap.ts):
-- parts are spans of time, each read by its index alone, and the list of parts by one look-up a day.
--
-- A piece that was first published elsewhere is not on the map: that address is the one to find.
--
-- Lock: SHARE on pub.pieces and pub.authors while the indexes are built; publishing waits, reading does not.

set local role svc_owner;

create index pieces_on_map on pub.pieces (published_at, id) include (author_id, slug, modified_at)
  where external_url is null;

-- One piece in 256, by its random id: enough to tell how many a span holds without counting them.
create index pieces_sampled on pub.pieces (published_at)
  where external_url is null and id < '01000000-0000-0000-0000-000000000000';

-- The days that have pieces, each with its last change on top.
create index pieces_by_day on pub.pieces (((published_at at time zone 'UTC')::date), modified_at)
  where external_url is null;

create index authors_on_map on pub.authors (id) include (slug, last_published_at);
