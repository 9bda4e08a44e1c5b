-- Co-authors: the writer of a piece invites others, and each consents at the desk, for this piece. Readers get the names of
-- those who agreed, in the order of the byline, after the writer's own.

-- step: once
alter table pub.pieces add column co_authors uuid[];

-- step: alone
create index concurrently if not exists pieces_by_co_author on pub.pieces using gin (co_authors) where co_authors is not null;

-- step: once
set local role svc_owner;

create table app.co_authors (
  -- Kept after the piece is deleted, without consent, so that inviting again and again is noticed.
  piece_id    uuid        not null,
  -- Who is invited.
  writer_id   uuid        not null references app.writers on delete cascade,
  -- The writer of the piece.
  invited_by  uuid        not null references app.writers on delete cascade,
  position    integer     not null check (position > 0),
  invited_at  timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  answer      text        check (answer in ('agreed', 'declined', 'withdrawn')),
  answered_at timestamptz,
  -- The session in which a person answered.
  answered_in uuid,
  -- When the writer took them off the piece.
  removed_at  timestamptz,
  primary key (piece_id, writer_id),
  check (writer_id <> invited_by),
  check (num_nulls(answer, answered_at, answered_in) in (0, 3)),
  check (removed_at is null or answer is distinct from 'agreed')
);

create index co_authors_of_writer on app.co_authors (writer_id, invited_at desc, piece_id);
create index co_authors_of_inviter on app.co_authors (invited_by, invited_at);
-- Functions read it before the policies of tables are applied, and the release before publishes meanwhile.
grant select on app.co_authors to svc_publisher;
