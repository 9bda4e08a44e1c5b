-- What to read next: for each public piece, others about the same subject. The worker computes it; a reader gets those that
-- are still public.

-- step: once
-- include: functions/app/await_related.sql
-- include: functions/app/forget_related.sql
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

-- As in its policies, which come after the migrations.
grant select, insert, update, delete on pub.related to svc_publisher;

-- Before what is there is noted: nothing may be published in between.
create trigger await_related after insert on pub.pieces referencing new table as shown
  for each statement execute function app.await_related();
create trigger forget_related after delete on pub.pieces referencing old table as gone
  for each statement execute function app.forget_related();

-- What is public already waits for the worker like what is published from now on. Locks its rows: one that is hidden
-- meanwhile must not be noted. Answers with them, by which progress is counted.
-- step: batch pub.pieces
set local role svc_owner;
with next as materialized (
  select p.id from pub.pieces p where p.id > (select up_to from app.related_noted) order by p.id limit :batch for share
), noted as (
  insert into pub.related (piece_id) select n.id from next n on conflict do nothing
), moved as (
  update app.related_noted set up_to = last.id from (select n.id from next n order by n.id desc limit 1) last
)
select from next;

-- step: once
set local role svc_owner;
drop table app.related_noted;
