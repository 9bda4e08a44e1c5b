-- Where a draft was imported from, and its date there. The writer publishes many of them at once, with these dates.

-- step: once
set local role svc_owner;

create table app.imports (
  piece_id     uuid        primary key references app.pieces on delete cascade,
  writer_id    uuid        not null references app.writers on delete cascade,
  service      text        not null check (service in ('ghost', 'medium', 'substack', 'devto', 'wordpress', 'markdown')),
  -- As the export has it; null if it has none that can be believed.
  original_at  timestamptz,
  imported_at  timestamptz not null,
  -- What was not carried over, in the words that its writer was shown.
  notes        text[]      not null check (cardinality(notes) <= 50),
  -- The writer's consent to publish one revision with that date, until it is used.
  confirmed_at timestamptz,
  session_id   uuid,
  revision     integer,
  -- Of everything that is published, as app.text_hash makes it.
  text_hash    bytea       check (octet_length(text_hash) = 32),
  -- As the receipt tells it: how the writer had shown who they are.
  proof        jsonb,
  -- When it was published here with its original date.
  published_at timestamptz,
  constraint imports_date_check check (original_at between '1990-01-01T00:00Z' and imported_at),
  constraint imports_consent_check check (num_nulls(confirmed_at, session_id, revision, text_hash, proof) in (0, 5)),
  constraint imports_published_check check (published_at is null or (original_at is not null and confirmed_at is null))
);

create index imports_to_publish on app.imports (writer_id, original_at desc, piece_id) where published_at is null;
-- Functions read it before the policies of tables are applied, and the release before publishes meanwhile.
grant select on app.imports to svc_publisher;

-- A step of its own: the lock that it takes on public pieces ends with it.
-- step: once
set local role svc_owner;
-- When a piece with an earlier date became public here; null for one that has the date of its publication here.
alter table pub.pieces add column arrived_at timestamptz;
