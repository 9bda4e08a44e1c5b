-- A translation names its original in `fields`, like every other detail of a draft, so a key may name it and the history has
-- it. What is public names it here, once the author of the original has agreed.

-- step: once
alter table pub.pieces add column translation_of uuid;

-- step: alone
create index concurrently if not exists pieces_by_original on pub.pieces (translation_of, published_at, id) where translation_of is not null;

-- Translators ask the author of the original. Without an answer, and after a refusal, it cannot be published as a translation.
-- step: once
set local role svc_owner;

create table app.translation_requests (
  -- Kept after either is deleted, so that asking again and again is noticed.
  piece_id      uuid        not null,
  original_id   uuid        not null,
  translator_id uuid        not null references app.writers on delete cascade,
  -- Who wrote the original.
  author_id     uuid        not null references app.writers on delete cascade,
  asked_at      timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  answer        text        check (answer in ('agreed', 'declined')),
  answered_at   timestamptz,
  -- The session in which a person answered.
  answered_in   uuid,
  primary key (piece_id, original_id),
  check ((answer is null) = (answered_at is null))
);

create index translation_requests_of_author on app.translation_requests (author_id, asked_at desc, piece_id);
create index translation_requests_of_translator on app.translation_requests (translator_id, asked_at);
