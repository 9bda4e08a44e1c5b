-- Readers who follow the site, a writer, a section, a topic or a series by email.

-- step: once
set local role svc_owner;

-- An address is encrypted with a key that is outside the database, and found by a hash with another.
create table app.readers (
  id              uuid        primary key,
  address_hash    bytea       not null unique check (octet_length(address_hash) = 32),
  -- Null once nothing is sent there any more: only the hash is kept, so that nobody adds the address again.
  sealed_address  bytea,
  -- A hash of the domain: emails to one domain are paced together.
  domain_hash     bytea       not null check (octet_length(domain_hash) = 8),
  language        text        not null check (char_length(language) <= 35),
  created_at      timestamptz not null default clock_timestamp(),
  suppressed_at   timestamptz,
  suppressed_for  text        check (suppressed_for in ('bounced', 'complained')),
  -- Temporary failures that came back as emails: how many, since when, and the last.
  bounces         smallint    not null default 0,
  bounced_since   timestamptz,
  bounced_at      timestamptz,
  constraint readers_suppressed_check check (num_nulls(suppressed_at, suppressed_for) in (0, 2)
                                             and (suppressed_at is null) = (sealed_address is not null))
);

-- `subject` is `site`, or `author:`, `section:`, `topic:` or `series:` with what identifies it.
create table app.follows (
  reader_id      uuid        not null references app.readers on delete cascade,
  subject        text        collate "C" not null check (subject ~ '^(site|(author|section|topic|series):.{1,200})$'),
  frequency      text        not null check (frequency in ('each', 'daily', 'weekly')),
  -- The record of consent: when, from which page and network, and the words of the form; then when it was confirmed, and from where.
  asked_at       timestamptz not null,
  asked_on       text        not null check (char_length(asked_on) <= 500),
  asked_from     bytea       not null,
  consent        text        not null check (char_length(consent) <= 1000),
  confirmed_at   timestamptz,
  confirmed_from bytea,
  primary key (reader_id, subject),
  constraint follows_confirmed_check check ((confirmed_at is null) = (confirmed_from is null))
);

create index followers_of_subject on app.follows (subject, reader_id) where confirmed_at is not null;

create index follows_to_confirm on app.follows (asked_at) where confirmed_at is null;

-- Each day's new and former followers of a subject.
create table app.follower_days (
  subject text    collate "C" not null,
  day     date    not null,
  gained  integer not null default 0,
  lost    integer not null default 0,
  primary key (subject, day)
);

-- How often forms were sent from a network today, which has a hash with today's salt (app.reporter_hash).
create table app.follow_requests (
  day     date    not null,
  network bytea   not null,
  count   integer not null,
  primary key (day, network)
);

-- A text that a writer's new followers get.
create table app.welcomes (
  writer_id uuid primary key references app.writers on delete cascade,
  text      text not null check (char_length(text) between 1 and 5000)
);

-- Public pieces that followers hear of, written by the transaction that publishes.
create table app.announcements (
  piece_id      uuid        primary key references app.pieces on delete cascade,
  published_at  timestamptz not null,
  -- What one can follow to hear of it; and the digests it belongs to. Null until a worker begins.
  subjects      text[],
  daily         date,
  weekly        date,
  -- The last reader who has an email of it, by id.
  through       uuid,
  done_at       timestamptz,
  constraint announcements_begun_check check (num_nulls(subjects, daily, weekly) in (0, 3)),
  constraint announcements_done_check check (done_at is null or subjects is not null)
);

create index announcements_to_send on app.announcements (published_at) where done_at is null;

create index announcements_of_day on app.announcements (daily) where daily is not null;

create index announcements_of_week on app.announcements (weekly) where weekly is not null;

-- One email to one reader: at most one of each piece, and one of each digest.
create table app.reader_emails (
  id          uuid        primary key default gen_random_uuid(),
  reader_id   uuid        not null references app.readers on delete cascade,
  kind        text        not null check (kind in ('confirm', 'welcome', 'piece', 'daily', 'weekly')),
  piece_id    uuid        references app.pieces on delete cascade,
  -- Of a digest, the day on which it is due.
  period      date,
  -- Of a welcome.
  writer_id   uuid        references app.writers on delete cascade,
  domain_hash bytea       not null,
  state       text        not null default 'pending' check (state in ('pending', 'sent', 'cancelled', 'failed')),
  due_at      timestamptz not null,
  attempts    smallint    not null default 0,
  lease_token uuid,
  ended_at    timestamptz,
  constraint reader_emails_about_check check ((kind = 'piece') = (piece_id is not null)
                                             and (kind in ('daily', 'weekly')) = (period is not null)
                                             and (kind = 'welcome') = (writer_id is not null)),
  constraint reader_emails_lease_check check (lease_token is null or state = 'pending'),
  constraint reader_emails_ended_check check ((state = 'pending') = (ended_at is null))
);

create unique index reader_emails_of_piece on app.reader_emails (piece_id, reader_id) where piece_id is not null;

create unique index reader_emails_of_digest on app.reader_emails (reader_id, kind, period) where period is not null;

create unique index reader_emails_of_welcome on app.reader_emails (writer_id, reader_id) where writer_id is not null;

create index reader_emails_of_reader on app.reader_emails (reader_id);

create index reader_emails_to_send on app.reader_emails (domain_hash, due_at) where state = 'pending';

create index reader_emails_leased on app.reader_emails (domain_hash) where lease_token is not null;

create index reader_emails_ended on app.reader_emails (ended_at) where ended_at is not null;

-- How fast a receiving domain takes emails.
create table app.mail_domains (
  domain_hash bytea       primary key,
  -- When its next email is due; null if there is none.
  ready_at    timestamptz,
  -- Emails that may be under way at once.
  width       smallint    not null default 2,
  failures    integer     not null default 0,
  rests_until timestamptz
);

create index mail_domains_ready on app.mail_domains (ready_at) where ready_at is not null;
