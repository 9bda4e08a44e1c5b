-- Lists of followers that writers bring from elsewhere, with a statement of consent; and who stopped following a writer, since no
-- list may add them again.

-- step: once
set local role svc_owner;

-- A file that a writer uploaded, and what became of its rows. One that was not agreed to is kept for a day, to count it.
create table app.follower_imports (
  id           uuid        primary key default gen_random_uuid(),
  writer_id    uuid        not null references app.writers on delete cascade,
  uploaded_at  timestamptz not null default clock_timestamp(),
  file_hash    bytea       not null check (octet_length(file_hash) = 32),
  -- What the writer agrees to, in the language it was shown in.
  statement    text        not null check (char_length(statement) between 1 and 1000),
  row_count    integer     not null,
  -- Left out when the file was read: no address, an address that an earlier row has, or no longer subscribed by the file itself.
  malformed    integer     not null,
  repeated     integer     not null,
  ended        integer     not null,
  -- The consent: when, in which session, and from which network, which is kept until the import is finished.
  agreed_at    timestamptz,
  agreed_in    uuid,
  agreed_from  bytea,
  -- The same network as a hash with the day's salt (app.reporter_hash).
  network      bytea,
  finished_at  timestamptz,
  -- What became of the others: `ended` counts those who stopped or take no emails, too.
  added        integer     not null default 0,
  asked        integer     not null default 0,
  known        integer     not null default 0,
  over_limit   integer     not null default 0,
  -- Readers whose address refused an email or who reported one as spam.
  bounced      integer     not null default 0,
  complained   integer     not null default 0,
  -- Too many of them: the readers of this import get no emails.
  stopped_at   timestamptz,
  constraint follower_imports_agreed_check check (num_nulls(agreed_at, agreed_in) in (0, 2)),
  constraint follower_imports_finished_check check (finished_at is null
                                                    or agreed_at is not null and num_nulls(agreed_from, network) = 2)
);

create index follower_imports_of_writer on app.follower_imports (writer_id, uploaded_at);

-- Rows that are not imported yet. The address is sealed for the id that its reader gets.
create table app.follower_import_rows (
  import_id      uuid        not null references app.follower_imports on delete cascade,
  position       integer     not null,
  reader_id      uuid        not null,
  address_hashes bytea[]     not null,
  sealed_address bytea       not null,
  domain_hash    bytea       not null check (octet_length(domain_hash) = 8),
  frequency      text        not null check (frequency in ('each', 'daily', 'weekly')),
  -- Null where the file does not say: the reader is asked.
  consented_at   timestamptz,
  consent        text        not null check (char_length(consent) <= 1000),
  primary key (import_id, position)
);

-- Set while the consent is what a writer states; null once readers confirm it themselves.
alter table app.follows add column import_id uuid;

-- Who stopped following a writer, or did not confirm: a hash of the address, until they confirm again or the writer is gone.
create table app.former_followers (
  writer_id    uuid        not null references app.writers on delete cascade,
  address_hash bytea       not null check (octet_length(address_hash) = 32),
  ended_at     timestamptz not null default clock_timestamp(),
  primary key (writer_id, address_hash)
);
