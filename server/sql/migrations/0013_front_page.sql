-- Moderators choose what is first on the front page, in order, each until an end; and may put a note above it.

-- step: once
set local role svc_owner;

-- What is there, of what is public. The database removes a pin with its piece; nothing reads one that has ended.
create table pub.front_page_pins (
  place    smallint    primary key check (place > 0),
  piece_id uuid        not null unique,
  ends_at  timestamptz not null
);

create table pub.front_page_note (
  is_only boolean     primary key default true check (is_only),
  note    text        not null check (char_length(note) between 1 and 280),
  ends_at timestamptz not null
);

-- Every state as it was saved, who saved it and when. The last is the version that the next save must name.
create table app.front_page_saves (
  version      bigint      generated always as identity primary key,
  at           timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  account_id   uuid        not null,
  session_id   uuid        not null,
  pins         jsonb       not null,
  note         text,
  note_ends_at timestamptz
);
