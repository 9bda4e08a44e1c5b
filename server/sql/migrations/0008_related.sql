-- What to read next: for each public piece, others about the same subject. The worker computes it; a reader gets those that
-- are still public.

-- step: once
set local role svc_owner;

create table pub.related (
  piece_id    uuid        primary key,
  -- The words and tags that it is compared by, a tag after a `#`.
  terms       text[]      not null default '{}',
  -- Nearest first.
  related     uuid[]      not null default '{}',
  computed_at timestamptz not null default '-infinity'
);

create index related_by_age on pub.related (computed_at, piece_id);

create index related_by_term on pub.related using gin (terms);

-- How far the pieces there are have been noted, in the order of their ids. Dropped below.
create table app.related_noted (up_to uuid not null);
insert into app.related_noted values ('00000000-0000-0000-0000-000000000000');

-- What is public already waits for the worker like what is published from now on.
-- step: batch pub.pieces
set local role svc_owner;
with next as materialized (
  select p.id from pub.pieces p where p.id > (select up_to from app.related_noted) order by p.id limit :batch
), noted as (
  insert into pub.related (piece_id) select n.id from next n on conflict do nothing
)
update app.related_noted set up_to = last.id from (select n.id from next n order by n.id desc limit 1) last;

-- step: once
set local role svc_owner;
drop table app.related_noted;
