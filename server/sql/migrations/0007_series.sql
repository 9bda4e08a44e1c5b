-- Series: a writer's pieces in the order they choose. The working copy is private; readers get those of its pieces that are
-- public, and no series at all without one.

-- step: once
set local role svc_owner;

create table app.series (
  id          uuid        primary key,
  writer_id   uuid        not null references app.writers on delete cascade,
  -- Made with the series and never moved.
  slug        text        not null
                          check (slug ~ '^[^\x01-\x2c\x2e\x2f\x3a-\x60\x7b-\x7f]+$' and char_length(slug) <= 90),
  title       text        not null check (char_length(title) between 1 and 120),
  description text        check (char_length(description) between 1 and 500),
  revision    integer     not null default 1 check (revision > 0),
  created_at  timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  updated_at  timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  unique (writer_id, slug)
);

-- A piece is in one series at most.
create table app.series_pieces (
  piece_id  uuid    primary key references app.pieces on delete cascade,
  series_id uuid    not null references app.series on delete cascade,
  position  integer not null check (position > 0)
);

create index series_pieces_in_order on app.series_pieces (series_id, position);

create table pub.series (
  id          uuid        primary key,
  author_id   uuid        not null references pub.authors,
  slug        text        not null,
  title       text        not null,
  description text,
  -- When it was last saved, gained a piece or lost one.
  modified_at timestamptz not null check (modified_at = date_trunc('milliseconds', modified_at)),
  unique (author_id, slug)
);

create index series_by_recency on pub.series (modified_at desc, id desc);

-- Only public pieces, numbered without gaps: nothing tells of a draft between two of them.
create table pub.series_pieces (
  piece_id  uuid    primary key,
  series_id uuid    not null references pub.series,
  position  integer not null,
  unique (series_id, position)
);
