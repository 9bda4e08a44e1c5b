-- Lists by author have what they signed as a co-author too: a row for each co-author of a public piece, in the order of
-- those lists. Triggers keep them, and the counts of authors, from pub.pieces.co_authors, whichever release writes it.

-- step: once
set local role svc_owner;

create table pub.piece_co_authors (
  author_id    uuid        not null,
  published_at timestamptz not null,
  piece_id     uuid        not null,
  category     text        not null,
  -- As lists are filtered by (pub.language_of).
  language     text        not null,
  primary key (piece_id, author_id)
);

create index piece_co_authors_by_recency on pub.piece_co_authors (author_id, published_at desc, piece_id desc);

-- As in the policies, which a new database does not have yet.
grant select on pub.authors, pub.pieces, pub.piece_co_authors to svc_publisher;
grant update on pub.authors, pub.pieces to svc_publisher;
grant insert, update, delete on pub.piece_co_authors to svc_publisher;

-- Two functions that set the counts of authors do so with the pieces these only signed.
grant create on schema app to svc_publisher;
-- include: functions/app/lock_writer.sql
-- include: functions/app/last_published.sql
-- include: functions/app/hide_piece.sql
-- include: functions/app/restore_writer.sql
set local role svc_owner;
revoke create on schema app from svc_publisher;

-- include: functions/app/count_co_authors.sql
-- include: functions/app/list_co_authors.sql

-- Before what is there is listed: nothing may be published in between.
set local role svc_owner;
create trigger count_gone after delete on pub.piece_co_authors
  referencing old table as touched for each statement execute function app.count_co_authors();
create trigger count_new after insert on pub.piece_co_authors
  referencing new table as touched for each statement execute function app.count_co_authors();
create trigger list_co_authors_changed after update on pub.pieces
  for each row when (old.co_authors is distinct from new.co_authors
                     or (new.co_authors is not null
                         and (old.category, old.locale, old.published_at)
                             is distinct from (new.category, new.locale, new.published_at)))
  execute function app.list_co_authors();
create trigger list_co_authors_gone after delete on pub.pieces
  for each row when (old.co_authors is not null) execute function app.list_co_authors();
create trigger list_co_authors_new after insert on pub.pieces
  for each row when (new.co_authors is not null) execute function app.list_co_authors();

-- Locks their rows: a name that is taken off meanwhile must not be listed. Only pieces with an accepted co-author have any.
-- So few at a time because each author they count is locked until the batch is done.
-- step: batch app.co_authors
set local role svc_publisher;
insert into pub.piece_co_authors (author_id, published_at, piece_id, category, language)
select named.id, signed.published_at, signed.id, signed.category, pub.language_of(signed.locale)
  from (select p.* from pub.pieces p
         where p.id in (select c.piece_id from app.co_authors c where c.answer = 'agreed')
           and p.co_authors is not null
           and not exists (select from pub.piece_co_authors l where l.piece_id = p.id)
         limit least(:batch, 200) for share of p) signed
  cross join unnest(signed.co_authors) named(id)
on conflict do nothing;

-- What it was for is read from the table.
-- step: alone
drop index concurrently if exists pub.pieces_by_co_author;
