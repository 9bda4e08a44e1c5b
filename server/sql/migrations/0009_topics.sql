-- Topics: public pieces by their tags, so that the page of a topic reads along an index at any size. app.file_topics keeps
-- them, by triggers on pub.pieces, whichever release publishes.

-- step: once
-- include: functions/pub/topic_of.sql
-- include: functions/app/file_topics.sql
set local role svc_owner;

create table pub.piece_topics (
  topic        text        collate "C" not null,
  published_at timestamptz not null,
  piece_id     uuid        not null,
  author_id    uuid        not null,
  -- As lists are filtered by (pub.language_of).
  language     text        not null,
  -- The tag as its writer spelled it, and its place among the tags of the piece.
  name         text        not null,
  place        smallint    not null,
  primary key (piece_id, topic)
);

-- All in one direction, so that a position in them is one comparison of rows.
create index piece_topics_by_recency on pub.piece_topics (topic, published_at, piece_id);
create index piece_topics_by_language on pub.piece_topics (topic, language, published_at, piece_id);

-- The most used, counted by the worker (app.count_topics).
create table pub.topics (
  topic        text    collate "C" primary key,
  name         text    not null,
  pieces_count integer not null
);

-- How far the pieces there are have been filed, in the order of their ids. Dropped below.
create table app.topics_filed (up_to uuid not null);
insert into app.topics_filed values ('00000000-0000-0000-0000-000000000000');
grant select, update on app.topics_filed to svc_publisher;

-- As in the policies of both, which a new database does not have yet.
grant select, update on pub.pieces to svc_publisher;
grant select, insert, delete on pub.piece_topics to svc_publisher;

-- Before what is there is filed: nothing may be published in between.
create trigger file_changed after update on pub.pieces referencing old table as gone new table as come
  for each statement execute function app.file_topics();
create trigger file_gone after delete on pub.pieces referencing old table as gone
  for each statement execute function app.file_topics();
create trigger file_new after insert on pub.pieces referencing new table as come
  for each statement execute function app.file_topics();

-- Locks its rows: one that is hidden meanwhile must not be filed. Answers with them, by which progress is counted.
-- step: batch pub.pieces
set local role svc_publisher;
with next as materialized (
  select p.id, p.author_id, p.tags, p.locale, p.published_at from pub.pieces p
   where p.id > (select up_to from app.topics_filed) order by p.id limit :batch for share
), filed as (
  insert into pub.piece_topics (topic, published_at, piece_id, author_id, language, name, place)
  select distinct on (n.id, tag_of.topic) tag_of.topic, n.published_at, n.id, n.author_id,
         pub.language_of(n.locale), tag.name, tag.place
    from next n, unnest(n.tags) with ordinality as tag (name, place),
         lateral (select pub.topic_of(tag.name) as topic offset 0) tag_of
   where tag_of.topic is not null
   order by n.id, tag_of.topic, tag.place
  on conflict do nothing
), moved as (
  update app.topics_filed set up_to = last.id from (select n.id from next n order by n.id desc limit 1) last
)
select from next;

-- step: once
set local role svc_owner;
drop table app.topics_filed;

-- Every author with pieces by name, and the newest.
-- step: alone
create index concurrently if not exists authors_by_name on pub.authors (name collate "und-x-icu", slug) where pieces_count > 0;

-- step: alone
create index concurrently if not exists authors_by_joining on pub.authors (joined_at desc, slug) where pieces_count > 0 and joined_at is not null;
