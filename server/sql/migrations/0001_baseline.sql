-- The tables, types, indexes and views of the first release. What later releases change is in the files after this one;
-- functions, triggers and policies are in ../functions, ../triggers and ../policies, which have them as they are today.
-- Each part says what its tables are for, which promises its functions keep, and which errors they raise.
--
-- replaces: 0043_index_lease.sql

-- Two schemas: `app` is private, `pub` holds only what is public.
--
-- A public process can read `pub` and has no right on `app`, so a draft cannot
-- leak through a bug, an injection, a count or a cache.

do $$
begin
  execute format('revoke temporary, create on database %I from public', current_database());
  execute format('grant connect on database %I to svc_public, svc_api, svc_desk, svc_worker', current_database());
end
$$;

-- Trigram search. It stays in `public`, whose objects all roles may use and none may add to.
create extension if not exists pg_trgm with schema public;

create schema app authorization svc_owner;

create schema pub authorization svc_owner;

create schema search authorization svc_owner;

revoke create on schema public from public;
grant usage on schema app to svc_api, svc_desk, svc_worker, svc_publisher;
-- The desk: of a public piece a moderator reads what everybody does.
grant usage on schema pub to svc_public, svc_publisher, svc_desk, svc_worker;
grant usage on schema search to svc_public, svc_worker;

set local role svc_owner;
-- A function that a table uses comes before it, and may name what comes later.
set local check_function_bodies = off;
-- include: functions/app/is_free_slug.sql
-- include: functions/app/slug_skeleton.sql
-- include: functions/app/attempt_key.sql

-- ---------------------------------------------------------------------------------------------------------------------
-- The private schema: people, their sessions, their pieces.

create table app.accounts (
  id                uuid        primary key default gen_random_uuid(),
  email             text        not null unique check (email = lower(email) and char_length(email) between 3 and 254),
  role              text        not null default 'writer' check (role in ('writer', 'moderator', 'operator')),
  email_verified_at timestamptz,
  disabled_at       timestamptz,
  created_at        timestamptz not null default now(),
  name              text        check (char_length(name) between 1 and 80),
  -- How the proof is derived, with its salt: 'scrypt$16$8$2$<salt>'. The password itself is never seen here.
  password_params   text,
  password_proof    bytea       check (octet_length(password_proof) = 32),
  -- Whether they want an email when a key of theirs made drafts; when the last one was sent.
  drafts_letter     boolean     not null default true,
  drafts_told_at    timestamptz,
  signed_up_at      timestamptz,
  -- By which it signed up; no foreign key, since one that was withdrawn must not turn into none.
  invitation_id     uuid,
  delete_asked_at   timestamptz,
  delete_at         timestamptz,
  check ((password_params is null) = (password_proof is null)),
  check ((delete_asked_at is null) = (delete_at is null))
);

-- The token itself is only in the person's cookie.
create table app.sessions (
  id           uuid        primary key default gen_random_uuid(),
  account_id   uuid        not null references app.accounts on delete cascade,
  token_hash   bytea       not null unique check (octet_length(token_hash) = 32),
  user_agent   text,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  revoked_at   timestamptz,
  address      text        check (char_length(address) <= 64),
  authenticated_at timestamptz not null default now(),
  -- What opened or last confirmed it.
  authenticated_by text    not null default 'password'
                           check (authenticated_by in ('password', 'passkey', 'recovery_code'))
);

create index sessions_of_account on app.sessions (account_id);

create table app.writers (
  id                   uuid        primary key default gen_random_uuid(),
  account_id           uuid        unique references app.accounts on delete set null,
  slug                 text        not null unique check (app.is_free_slug(slug)),
  name                 text        not null check (char_length(name) between 1 and 80),
  bio                  text        check (char_length(bio) <= 2000),
  role                 text        check (char_length(role) <= 120),
  niche                text        check (char_length(niche) <= 120),
  location             text        check (char_length(location) <= 120),
  avatar_url           text        check (char_length(avatar_url) <= 2048),
  website              text        check (char_length(website) <= 2048),
  socials              jsonb       not null default '{}' check (jsonb_typeof(socials) = 'object'),
  identity_verified_at timestamptz,
  website_verified_at  timestamptz,
  search_text          text        not null,
  joined_at            timestamptz not null default date_trunc('milliseconds', now()),
  -- How many pieces of theirs have ever become public: the number each delivery carries.
  published            bigint      not null default 0
);

-- A renamed writer's old addresses go on leading to them.
create table app.former_slugs (
  slug      text primary key,
  writer_id uuid not null references app.writers on delete cascade
);

create index former_slugs_of_writer on app.former_slugs (writer_id);

create table app.pieces (
  id                 uuid        primary key default gen_random_uuid(),
  writer_id          uuid        not null references app.writers,
  editor_status      text        not null default 'draft'
                                 check (editor_status in ('draft', 'pending', 'approved', 'rejected', 'changes_requested')),
  headline           text        not null check (char_length(headline) between 1 and 200),
  sub                text        check (char_length(sub) <= 400),
  body_md            text        not null check (char_length(body_md) between 1 and 100000),
  category           text        not null default 'building' check (category in
                                 ('building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society')),
  tags               text[]      not null default '{}' check (cardinality(tags) <= 8),
  frame              text        not null default 'lesson'
                                 check (frame in ('lesson', 'origin', 'contrarian', 'before_after')),
  -- The specification names no limit for style and locale; this one keeps lists short.
  style              text        not null default 'essay' check (char_length(style) between 1 and 200),
  locale             text        not null default 'en' check (char_length(locale) between 1 and 200),
  fields             jsonb       not null default '{}' check (jsonb_typeof(fields) = 'object'),
  revision           integer     not null default 1 check (revision > 0),
  -- Made at first publication and never moved again.
  slug               text        check (slug ~ '^[a-z0-9][a-z0-9-]*$' and char_length(slug) <= 90),
  first_published_at timestamptz,
  review_required    boolean     not null default false,
  created_at         timestamptz not null default date_trunc('milliseconds', now()),
  updated_at         timestamptz not null default date_trunc('milliseconds', now()),
  begun_by_key       uuid,
  -- Every save that a person or a key made is kept. The newest is the piece itself, which says who saved it: a person, or
  -- which key; neither for what the site filled or mended itself. The next save moves it to app.recent_revisions. So a
  -- draft, which most often is saved once, is written once.
  saved_by_account   uuid,
  saved_by_key       uuid,
  -- When its writer last put it before the moderators, who take the longest waiting first.
  submitted_at       timestamptz,
  -- How many receipts it has had, and the hash of the last.
  receipts           integer     not null default 0,
  receipt_hash       bytea       check (octet_length(receipt_hash) = 32),
  deleted_at         timestamptz,
  unique (writer_id, slug),
  check (editor_status <> 'approved' or (slug is not null and first_published_at is not null)),
  constraint pieces_saver_check check (saved_by_account is null or saved_by_key is null),
  -- So no act can make a deleted piece public, whatever else it forgets.
  constraint pieces_trash_check check (deleted_at is null or editor_status = 'draft')
);

create index pieces_of_writer on app.pieces (writer_id, created_at desc, id desc);

-- Shown with a revision, used once: what is published is what the writer saw.
create table app.publish_nonces (
  nonce_hash bytea       primary key check (octet_length(nonce_hash) = 32),
  piece_id   uuid        not null references app.pieces on delete cascade,
  revision   integer     not null,
  session_id uuid        not null references app.sessions on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz,
  -- When a passkey was shown for it.
  proved_at  timestamptz
);

create index publish_nonces_of_piece on app.publish_nonces (piece_id);

create index publish_nonces_of_session on app.publish_nonces (session_id);

-- Who did what, in which session, to which revision. Rows are added and never changed.
create table app.audit (
  id          bigint      generated always as identity primary key,
  at          timestamptz not null default now(),
  act         text        not null,
  piece_id    uuid        not null,
  writer_id   uuid        not null,
  account_id  uuid,
  session_id  uuid,
  revision    integer     not null,
  from_status text        not null,
  to_status   text        not null,
  note        text,
  key_id      uuid
);

create index audit_of_piece on app.audit (piece_id, id);

-- ---------------------------------------------------------------------------------------------------------------------
-- The public schema: what everyone may read, laid out for reading.
--
-- A piece is three rows, so that each question touches only what it needs:
--   pieces          what lists show, with headline and standfirst as search sees them
--   piece_contents  the whole text, as HTML and plain, for the one who asks for one piece
--   piece_texts     the body as search sees it
--
-- No cascades: they would run as the owner, which the guard of this schema refuses.
-- author_id is in every table, so that the schema can be sharded by author.

create table pub.authors (
  id                uuid        primary key,
  slug              text        not null unique,
  name              text        not null,
  bio               text,
  role              text,
  niche             text,
  location          text,
  avatar_url        text,
  website           text,
  identity_verified boolean     not null,
  website_verified  boolean     not null,
  socials           jsonb       not null,
  pieces_count      integer     not null default 0 check (pieces_count >= 0),
  last_published_at timestamptz,
  joined_at         timestamptz,
  search_text       text        not null,
  -- When the proof was last seen, for the public page: its date moves with every check.
  website_checked_at timestamptz,
  -- For the page that shows the evidence: whose, and since when.
  identity_verified_at timestamptz
);

create index authors_by_rank on pub.authors (identity_verified desc, pieces_count desc, slug);

create index authors_by_text on pub.authors using gin (search_text gin_trgm_ops) with (fastupdate = off);

create table pub.former_slugs (
  slug      text primary key,
  author_id uuid not null references pub.authors
);

-- Times are whole milliseconds, as JavaScript's are: a cursor made of one must find its place again.
create table pub.pieces (
  id                uuid        primary key,
  author_id         uuid        not null references pub.authors,
  slug              text        not null,
  headline          text        not null,
  sub               text,
  summary           text        not null,
  category          text        not null,
  tags              text[]      not null,
  kind              text        not null,
  locale            text        not null,
  external_url      text,
  published_at      timestamptz not null check (published_at = date_trunc('milliseconds', published_at)),
  modified_at       timestamptz not null check (modified_at = date_trunc('milliseconds', modified_at)),
  headline_folded   text        not null,
  sub_folded        text        not null,
  unique (author_id, slug)
);

create index pieces_by_recency on pub.pieces (published_at desc, id desc);

create index pieces_by_category on pub.pieces (category, published_at desc, id desc);

create index pieces_by_author on pub.pieces (author_id, published_at desc, id desc);

-- Kept in the row, compressed, up to a page: one buffer instead of the five of a TOAST look-up.
create table pub.piece_contents (
  piece_id  uuid primary key references pub.pieces,
  author_id uuid not null,
  html      text not null,
  text      text not null
) with (toast_tuple_target = 8160);

alter table pub.piece_contents alter column html set storage main, alter column text set storage main;

-- What search confirms its hits on, one by one: half the size is worth more than the time to unpack it.
create table pub.piece_texts (
  piece_id     uuid        primary key references pub.pieces,
  author_id    uuid        not null,
  category     text        not null,
  published_at timestamptz not null,
  body         text        not null
);

alter table pub.piece_texts alter column body set storage main;

create index piece_texts_by_recency on pub.piece_texts (published_at desc, piece_id desc);

create index piece_texts_by_category on pub.piece_texts (category, published_at desc, piece_id desc);

-- lz4 where this PostgreSQL was built with it; its default where not.
do $$
begin
  alter table pub.piece_contents alter column html set compression lz4, alter column text set compression lz4;
  alter table pub.piece_texts alter column body set compression lz4;
  alter table app.pieces alter column body_md set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The only way from the private schema to the public one.
--
-- Each function is owned by svc_publisher, runs with its rights and demands a live session of the
-- piece's writer; publishing also demands the one-time nonce of the revision the writer was shown.
-- Errors: SF401 no live session, SF404 not the writer's piece, SF409 not from this state,
-- SF412 the nonce is not for this revision.

-- Everything the service derives from a revision. Made in TypeScript, so that Markdown, case folding
-- and slugs are spelled out in one place.
create type app.rendering as (
  slug            text,
  summary         text,
  html            text,
  text            text,
  headline_folded text,
  sub_folded      text,
  body_folded     text
);
revoke usage on type app.rendering from public;
grant usage on type app.rendering to svc_desk, svc_publisher;

-- ---------------------------------------------------------------------------------------------------------------------
-- Accounts: signing up and in, sessions, passkeys, emails.
--
-- The desk's own role can read no password, session, passkey or token, and can open a session only with a proof:
-- what is derived from the password, or the seal of a passkey. Everything it may do with an account is one of the
-- functions below; the steps inside them are nobody's to call.
-- Errors: SF401 no live session, SF404 not this account's, SF409 the last way in or a passkey that is known, SF410 a
-- used or old link, SF419 too many passkeys, SF428 signed in too long ago. The sentences of SF401 and SF428 are in
-- platform/db/pg-errors.ts, since the API answers with them too.
-- Order of locks: the account, then whatever belongs to it. Who acts is asked once the account is locked, so that a
-- session which ended while its act waited does nothing.

create index accounts_unconfirmed on app.accounts (signed_up_at) where email_verified_at is null;

create index sessions_by_age on app.sessions (expires_at);

-- Every try at a password, written before it is checked, so that tries at the same moment count too.
-- By hashes, so that an address without an account counts like any other.
create table app.sign_in_attempts (
  id           uuid        primary key default gen_random_uuid(),
  account_key  bytea       not null check (octet_length(account_key) = 32),
  place_key    bytea       not null check (octet_length(place_key) = 32),
  known_device boolean     not null,
  at           timestamptz not null default clock_timestamp(),
  checked      boolean     not null default false,
  succeeded    boolean     not null default false
);

create index sign_in_attempts_of_account on app.sign_in_attempts (account_key, at);

create index sign_in_attempts_by_age on app.sign_in_attempts (at);

-- What the link in an email carries, as a hash. 'known' opens nothing: it counts the email that says "you have an account".
create table app.mail_tokens (
  token_hash bytea       primary key check (octet_length(token_hash) = 32),
  account_id uuid        not null references app.accounts on delete cascade,
  kind       text        not null check (kind in ('verify', 'reset', 'known', 'recover', 'keep')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  -- The address that this link gives back to the account.
  email      text        check (email = lower(email) and char_length(email) between 3 and 254),
  check ((kind = 'recover') = (email is not null))
);

create index mail_tokens_of_account on app.mail_tokens (account_id, created_at);

create index mail_tokens_by_age on app.mail_tokens (expires_at);

-- PostgreSQL cannot check a passkey's signature. The server does, and shows that it was the server with a seal only
-- it can make (from AUTH_SECRET and the credential): SQL alone opens no session.
create table app.passkeys (
  id            uuid        primary key default gen_random_uuid(),
  account_id    uuid        not null references app.accounts on delete cascade,
  credential_id bytea       not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key    bytea       not null check (octet_length(public_key) <= 4096),
  counter       bigint      not null check (counter >= 0),
  transports    text[]      not null default '{}',
  name          text        not null check (char_length(name) between 1 and 60),
  seal_hash     bytea       not null check (octet_length(seal_hash) = 32),
  created_at    timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at  timestamptz
);

create index passkeys_of_account on app.passkeys (account_id, created_at);

create table app.challenges (
  challenge_hash bytea       primary key check (octet_length(challenge_hash) = 32),
  purpose        text        not null check (purpose in ('sign_in', 'reauthenticate', 'register', 'first_passkey')),
  account_id     uuid        references app.accounts on delete cascade,
  expires_at     timestamptz not null default clock_timestamp() + interval '5 minutes',
  nonce_hash     bytea
);

create index challenges_of_account on app.challenges (account_id);

create index challenges_by_age on app.challenges (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Keys, and rows that answer to credentials.
--
-- Who a connection acts for is not a name the application sets but a credential the database looks up: the hash of a
-- live key (svc_api) or of a live session (svc_desk). A revoked key or session therefore stops inside the database,
-- in every process, with the next statement; and SQL injection as svc_api would still need a live key.

-- The key itself is shown once and never stored.
create table app.api_keys (
  id           uuid        primary key default gen_random_uuid(),
  writer_id    uuid        not null references app.writers on delete cascade,
  name         text        not null check (char_length(name) between 1 and 80),
  key_hash     bytea       not null unique check (octet_length(key_hash) = 32),
  -- "pk_live_1a2b" and "9c0d": enough for a person to tell keys apart.
  head         text        not null check (char_length(head) = 12),
  tail         text        not null check (char_length(tail) = 4),
  scopes       text[]      not null default '{pieces:write}' check
                           (scopes <@ array['pieces:write', 'drafts:read', 'drafts:edit', 'drafts:delete']),
  created_at   timestamptz not null default date_trunc('milliseconds', now()),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);

create index api_keys_of_writer on app.api_keys (writer_id, created_at desc);

-- ---------------------------------------------------------------------------------------------------------------------
-- Drafts: every save is kept, and a retried request makes one piece.

create table app.recent_revisions (
  piece_id   uuid        not null references app.pieces on delete cascade,
  revision   integer     not null,
  writer_id  uuid        not null,
  saved_at   timestamptz not null,
  account_id uuid,
  key_id     uuid,
  headline   text        not null,
  sub        text,
  body_md    text        not null,
  category   text        not null,
  tags       text[]      not null,
  frame      text        not null,
  style      text        not null,
  locale     text        not null,
  fields     jsonb       not null,
  primary key (piece_id, revision)
);

-- For counting what a writer saved at the desk in a day.
create index recent_revisions_saved_at_desk on app.recent_revisions (writer_id, saved_at) where account_id is not null;

do $$
begin
  alter table app.recent_revisions alter column body_md set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

-- What a create answered, kept for a day, written with the piece itself.
create table app.idempotency (
  writer_id    uuid        not null references app.writers on delete cascade,
  key          text        not null check (char_length(key) between 1 and 255),
  body_hash    bytea       not null check (octet_length(body_hash) = 32),
  piece_id     uuid        not null,
  begun_at     timestamptz not null,
  profile_slug text,
  warnings     json,
  created_at   timestamptz not null default now(),
  primary key (writer_id, key)
);

create index idempotency_by_age on app.idempotency (created_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- The life of a piece: every move is a signed-in person's act, and one function.
--
--   draft              publish, submit        by its writer
--   pending            withdraw               by its writer
--                      approve                by a moderator who is not its writer; from then on review is required
--                      request changes, reject            by a moderator who is not its writer
--   changes_requested  resubmit, withdraw     by its writer
--   rejected           revise                 by its writer; from then on review is required
--   approved           update, unpublish      by its writer
--                      take down              by a moderator; from then on review is required
--
-- features/pieces/states.ts is the same table; a test walks both. What goes before readers or moderators is what its
-- writer saw: Publish, Update, Submit, Resubmit and Approve demand the one-time nonce of the revision shown. Only Publish,
-- Update and Approve write public text.
-- Each act locks the piece and its writer first and looks at the session then: one that ended meanwhile does nothing.
-- Sessions and nonces come as hashes, since a server may log the parameters of a statement.
-- Errors as for publishing, with sentences for people.

create index pieces_waiting on app.pieces (submitted_at, id) where editor_status = 'pending';

-- ---------------------------------------------------------------------------------------------------------------------
-- Reports: readers tell the moderators of a public piece.
--
-- Anybody may report, through a function that keeps the report and shows nothing. A reporter's address is not kept: only
-- its hash with a salt that is thrown away every day, enough to tell one reader who reports often from many who do.
-- What is open waits for a moderator who is not the piece's writer: they dismiss it, or take the piece down.
-- Errors: SF401 no live session, SF403 no moderator or the piece's own writer, SF404 no public piece or no open report,
-- SF419 enough from this address.

create table app.reports (
  id         bigint      generated always as identity primary key,
  piece_id   uuid        references app.pieces on delete cascade,
  reason     text        not null
                         check (reason in ('spam', 'harassment', 'illegal', 'copyright', 'private_information',
                                           'impersonation', 'danger', 'other')),
  note       text        check (char_length(note) between 1 and 1000),
  -- For an answer, if the reporter wants one.
  email      text        check (char_length(email) between 3 and 254),
  reporter   bytea       not null check (octet_length(reporter) = 32),
  at         timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  settled_at timestamptz,
  outcome    text        check (outcome in ('dismissed', 'taken_down')),
  -- A piece or a listing: app.products comes further down, and its foreign key with it.
  product_id uuid,
  -- Where exactly it is, in the reporter's words.
  place      text        check (char_length(place) between 1 and 1000),
  name       text        check (char_length(name) between 1 and 200),
  good_faith boolean     not null default false,
  check ((settled_at is null) = (outcome is null)),
  constraint reports_of_one check (num_nonnulls(piece_id, product_id) = 1),
  constraint reports_name_with_email check (name is null or email is not null),
  constraint reports_illegal_complete
    check (reason <> 'illegal' or (note is not null and place is not null and good_faith))
);

create index reports_of_piece on app.reports (piece_id);

create index reports_open on app.reports (piece_id, at) where settled_at is null;

create index reports_by_age on app.reports (settled_at) where settled_at is not null;

-- Today's alone. Without it nobody can try addresses against the hashes.
create table app.report_salts (
  day  date  primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- What the map of the site for crawlers is read from (features/pieces/sitemap.ts, features/authors/sitemap.ts):
-- parts are spans of time, each read by its index alone, and the list of parts by one look-up a day.
--
-- A piece that was first published elsewhere is not on the map: that address is the one to find.

create index pieces_on_map on pub.pieces (published_at, id) include (author_id, slug, modified_at)
  where external_url is null;

-- One piece in 256, by its random id: enough to tell how many a span holds without counting them.
create index pieces_sampled on pub.pieces (published_at)
  where external_url is null and id < '01000000-0000-0000-0000-000000000000';

-- The days that have pieces, each with its last change on top.
create index pieces_by_day on pub.pieces (((published_at at time zone 'UTC')::date), modified_at)
  where external_url is null;

create index authors_on_map on pub.authors (id) include (slug, last_published_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Media: the pictures of writers, private until something public shows them.
--
-- The bytes lie in a store outside, by their hash. Here is whose they are (app.media), which pieces have ever named them
-- (app.piece_media, derived, so that every kept revision keeps its own), and which of them are public (pub.media). The
-- last is filled by triggers on the public schema itself, in the transaction that shows or hides a text or a profile: no
-- act can forget it, and nobody can make a picture public but by publishing what shows it. Only pictures of the piece's
-- own writer count.
-- Errors: SF401 no live session, SF403 no writer, SF404 not their piece, SF419 enough pictures.

create table app.media (
  hash       text        not null check (hash ~ '^[0-9a-f]{64}$'),
  writer_id  uuid        not null references app.writers on delete cascade,
  type       text        not null check (type = 'image/webp'),
  width      integer     not null check (width between 1 and 2000),
  height     integer     not null check (height between 1 and 2000),
  bytes      integer     not null check (bytes > 0),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (writer_id, hash)
);

create index media_by_hash on app.media (hash);

create index media_by_age on app.media (created_at);

create table app.piece_media (
  piece_id  uuid not null references app.pieces on delete cascade,
  hash      text not null,
  writer_id uuid not null,
  primary key (piece_id, hash)
);

create index piece_media_of_writer on app.piece_media (writer_id, hash);

-- Bytes that no writer has any more, until the store has let go of them.
create table app.media_gone (
  hash text primary key
);

-- `shown_by` is the piece, or the author where it is their portrait.
create table pub.media (
  hash      text    not null,
  shown_by  uuid    not null,
  author_id uuid    not null,
  type      text    not null,
  bytes     integer not null,
  primary key (hash, shown_by)
);

create index media_shown_by on pub.media (shown_by);

-- ---------------------------------------------------------------------------------------------------------------------
-- Previews: the page a piece will have, for anyone who has its token.
--
-- Two kinds. A page shows one revision for ten minutes, in the desk's own frame. A link shows the piece as it is now, for
-- some days, to whomever its writer sends it; it is listed and can be taken back. Tokens have 256 bits and come as hashes.
-- Only those who may read the piece make one, in a live session: its writer, and for a page a moderator while it waits.
-- Errors: SF400 no such time, SF401 no live session, SF404 not their piece or link, SF409 refused, SF419 enough links.

create table app.previews (
  id           uuid        primary key default gen_random_uuid(),
  token_hash   bytea       not null unique check (octet_length(token_hash) = 32),
  piece_id     uuid        not null references app.pieces on delete cascade,
  account_id   uuid        not null references app.accounts on delete cascade,
  -- Of a page; null for a link.
  revision     integer,
  created_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at   timestamptz not null,
  last_seen_at timestamptz
);

create index previews_of_piece on app.previews (piece_id, created_at);

create index previews_of_account on app.previews (account_id);

create index previews_by_age on app.previews (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Profiles: a writer changes their own, moves to another address, and has their website checked.
--
-- What is public of a writer changes in public at once, through functions that demand a live session of the writer; what
-- is not public yet stays so. A name that was verified is verified no more once it is another.
-- Errors: SF400 not a slug, no website, SF401 no live session, SF403 not a writer, SF419 five moves in a day or two
-- checks in half a minute, SF4ST another's address, or one that could be taken for it.
-- Each act locks the writer first and looks at the session then: one that ended meanwhile does nothing.

-- What happened to a writer, where app.audit tells what happened to a piece. Who did it is null for the site itself.
create table app.writer_audit (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  act        text        not null check (act in ('rename', 'new_name', 'verify_identity', 'withdraw_identity',
                                                 'prove_website', 'lose_website', 'leave', 'key_leaked', 'suspend',
                                                 'restore')),
  writer_id  uuid        not null,
  account_id uuid,
  session_id uuid,
  note       text        check (char_length(note) <= 2000)
);

create index writer_audit_of_writer on app.writer_audit (writer_id, id);

create index writer_audit_by_time on app.writer_audit (at, id);

create index writers_by_skeleton on app.writers (app.slug_skeleton(slug));

create index former_slugs_by_skeleton on app.former_slugs (app.slug_skeleton(slug));

-- Addresses of writers who have left. They are never given again: links there meant the former writer.
create table app.retired_slugs (
  slug       text        primary key,
  retired_at timestamptz not null default now()
);

create index retired_slugs_by_skeleton on app.retired_slugs (app.slug_skeleton(slug));

-- ---------------------------------------------------------------------------------------------- websites

-- What looking for the proof on a writer's website has found; none before they ask. The mark itself is
-- app.writers.website_verified_at.
create table app.website_checks (
  writer_id         uuid        primary key references app.writers on delete cascade,
  website           text        not null,
  state             text        not null check (state in ('waiting', 'proven', 'not_found', 'unreachable')),
  method            text        check (method in ('rel_me', 'meta')),
  -- Where the proof stands, or in a sentence why it was not found.
  evidence          text        check (char_length(evidence) <= 4096),
  asked_at          timestamptz not null default clock_timestamp(),
  checked_at        timestamptz,
  -- When the proof was last seen, and since when it has stood.
  found_at          timestamptz,
  proven_at         timestamptz,
  unreachable_since timestamptz
);

create index website_checks_by_age on app.website_checks (checked_at nulls first);

-- ---------------------------------------------------------------------------------------------------------------------
-- Identity: moderators verify who a writer is, and see what moderators did.
--
-- A writer's identity is verified by a moderator who is another person, audited, and shown in public at once.
-- Errors: SF401 no live session, SF403 no moderator or the writer themselves, SF404 no such writer or piece, SF412 the
-- name has changed since it was looked at, SF4PK a passkey that is known, SF4LW the last way in.

-- ---------------------------------------------------------------------------------------------------------------------
-- Another address, and leaving.
--
-- A new e-mail address is wanted in a fresh session, kept here, and becomes the account's by the link in the email that
-- goes there: a job cannot choose where that email goes. Whether the address has an account only
-- the person who reads its emails learns.
-- Leaving takes everything: what was public, pieces and their revisions, keys, sessions, passkeys, profile and account.
-- What stays are rows of the trails, with ids that lead nowhere, and the addresses, which nobody has again.
-- Errors: SF400 not their name, SF401 no live session, SF410 a used or old link, SF419 too many emails, SF428 signed in
-- too long ago.

-- For a writer who takes their trail along.
create index audit_of_writer on app.audit (writer_id, id);

-- ---------------------------------------------------------------------------------------------- another address
create table app.email_changes (
  account_id uuid        primary key references app.accounts on delete cascade,
  email      text        not null check (email = lower(email) and char_length(email) between 3 and 254),
  asked_at   timestamptz not null default clock_timestamp(),
  -- Of the link, once the email is written.
  token_hash bytea       unique check (octet_length(token_hash) = 32),
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours',
  -- What the account had when it was asked for.
  former_email text      not null,
  -- From then on `expires_at` is when it can no longer be undone.
  confirmed_at timestamptz
);

create index email_changes_by_age on app.email_changes (expires_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- The shop: what writers sell, private until they list it. Paying happens at an address of theirs, never here.
--
-- app.products is the working copy, pub.products what readers get. As with pieces, only a function of the publisher writes
-- the public one, with a live session of the listing's own writer and the revision they were shown: listing and updating
-- copy exactly that, withdrawing removes it at once. A key has no right on listings at all.
-- Addresses are unique in the site, made at the first listing, and never given again: an old link never leads to another listing.
-- The operator withholds a listing with a reason; its writer cannot list it again until it is allowed.
-- Errors: SF400 not all of them, SF401 no live session, SF404 not theirs, SF409 not from this state, SF412 another revision,
-- SF419 enough listings.

create table app.products (
  id              uuid          primary key default gen_random_uuid(),
  writer_id       uuid          not null references app.writers,
  status          text          not null default 'draft' check (status in ('draft', 'listed')),
  name            text          not null check (char_length(name) between 1 and 120),
  summary         text          check (char_length(summary) between 1 and 300),
  -- Plain text; an empty line begins a paragraph.
  description     text          check (char_length(description) between 1 and 10000),
  price           numeric(12,2) check (price >= 0),
  currency        text          check (currency ~ '^[A-Z]{3}$'),
  category        text          check (char_length(category) between 1 and 40),
  -- A picture of the writer's, by its hash.
  image           text          check (image ~ '^[0-9a-f]{64}$'),
  image_alt       text          check (char_length(image_alt) between 1 and 300),
  payment_url     text          not null check (payment_url ~ '^https://' and char_length(payment_url) <= 2048),
  -- Pieces of the writer's, in their order.
  related         uuid[]        not null default '{}' check (cardinality(related) <= 8),
  position        integer       not null default 0,
  revision        integer       not null default 1 check (revision > 0),
  -- What readers have; null while they have nothing.
  listed_revision integer,
  slug            text          unique check (slug ~ '^[a-z0-9][a-z0-9-]*$' and char_length(slug) <= 90),
  first_listed_at timestamptz,
  -- What was public of `related` when readers last got it.
  listed_related  uuid[]        not null default '{}',
  -- Why the site took it out of the shop; while this stands, it is not listed.
  withheld        text          check (char_length(withheld) between 1 and 2000),
  created_at      timestamptz   not null default date_trunc('milliseconds', now()),
  updated_at      timestamptz   not null default date_trunc('milliseconds', now()),
  check ((price is null) = (currency is null)),
  check ((status = 'listed') = (listed_revision is not null)),
  check (status <> 'listed' or (slug is not null and first_listed_at is not null)),
  check (status <> 'listed' or withheld is null)
);

create index products_of_writer on app.products (writer_id, position, id);

create table app.product_slugs (
  slug       text        primary key,
  product_id uuid        not null,
  writer_id  uuid        not null,
  kept_at    timestamptz not null default now()
);

-- How many names a writer took lately.
create index product_slugs_of_writer on app.product_slugs (writer_id, kept_at);

-- Which picture a working copy names, so that it is kept; derived.
create table app.product_media (
  product_id uuid primary key references app.products on delete cascade,
  hash       text not null,
  writer_id  uuid not null
);

create index product_media_of_writer on app.product_media (writer_id, hash);

-- As app.audit is for pieces.
create table app.product_audit (
  id          bigint      generated always as identity primary key,
  at          timestamptz not null default now(),
  act         text        not null,
  product_id  uuid        not null,
  writer_id   uuid        not null,
  account_id  uuid,
  session_id  uuid,
  revision    integer     not null,
  from_status text        not null,
  to_status   text        not null,
  -- Why the site acted; emptied when its writer leaves.
  note        text
);

create index product_audit_of_writer on app.product_audit (writer_id, id);

create table pub.products (
  id           uuid          primary key,
  author_id    uuid          not null references pub.authors,
  slug         text          not null unique,
  name         text          not null,
  summary      text,
  description  text,
  price        numeric(12,2),
  currency     text,
  category     text,
  image        text,
  image_alt    text,
  image_width  integer,
  image_height integer,
  payment_url  text          not null,
  -- Public ones at the time; one that was unpublished since is not shown.
  related      uuid[]        not null,
  position     integer       not null,
  -- Whole milliseconds, as for pieces: a cursor made of one must find its place again.
  listed_at    timestamptz   not null check (listed_at = date_trunc('milliseconds', listed_at)),
  updated_at   timestamptz   not null check (updated_at = date_trunc('milliseconds', updated_at)),
  name_folded  text          not null,
  -- Name, summary, category and description as search sees them, a line each: no term spans two.
  search_text  text          not null
);

create index products_by_recency on pub.products (listed_at desc, id desc);

create index products_by_author on pub.products (author_id, listed_at desc, id desc);

create index products_in_order on pub.products (author_id, position, id);

create index products_by_name on pub.products using gin (name_folded gin_trgm_ops) with (fastupdate = off);

create index products_by_text on pub.products using gin (search_text gin_trgm_ops) with (fastupdate = off);

-- ---------------------------------------------------------------------------------------------------------------------
-- Reads: how often a public piece is read, and what is read most, without knowing by whom.
--
-- A reader is a mark: a hash of address, agent and piece with a salt that lives for one day (app.reader_salts), kept
-- until the day is over so that nobody counts twice. Salts and marks are unlogged: they are in no archive, backup or
-- replica, and once a salt is deleted no mark leads anywhere. A crash of the server empties both; that day some readers
-- count again.
-- Public processes add reads in batches, through one function that can only add, and only to pieces that are public.
-- A batch that is sent again because no answer came adds nothing: the marks are there already.
-- From the hourly counts the worker makes pub.trending (app.score_trending).

-- Today's alone.
create unlogged table app.reader_salts (
  day  date  primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- Of today and of yesterday, by turns, so that a day that is over is emptied at once instead of row by row.
create table app.read_marks (
  is_odd boolean not null,
  mark   uuid    not null,
  primary key (is_odd, mark)
) partition by list (is_odd);

create unlogged table app.read_marks_even partition of app.read_marks for values in (false);

create unlogged table app.read_marks_odd partition of app.read_marks for values in (true);

-- For good. The others refer to this one, so that a piece takes all its counts along when it is deleted.
create table app.piece_reads (
  piece_id  uuid   primary key references app.pieces on delete cascade,
  author_id uuid   not null,
  reads     bigint not null
);

create index piece_reads_of_author on app.piece_reads (author_id);

-- For good.
create table app.piece_reads_daily (
  piece_id  uuid    not null references app.piece_reads on delete cascade,
  author_id uuid    not null,
  day       date    not null,
  reads     integer not null,
  primary key (piece_id, day)
);

create index piece_reads_daily_of_author on app.piece_reads_daily (author_id, day, piece_id);

-- For 31 days.
create table app.piece_reads_hourly (
  piece_id uuid        not null references app.piece_reads on delete cascade,
  hour     timestamptz not null,
  reads    integer     not null,
  primary key (piece_id, hour)
);

create index piece_reads_by_hour on app.piece_reads_hourly (hour);

-- Where visitors came from, for 92 days. '' are all those beside the best of a piece and day.
create table app.piece_sources (
  piece_id  uuid    not null references app.piece_reads on delete cascade,
  author_id uuid    not null,
  day       date    not null,
  source    text    not null check (octet_length(source) <= 253),
  visits    integer not null,
  primary key (piece_id, day, source)
);

create index piece_sources_of_author on app.piece_sources (author_id, day);

create index piece_sources_by_day on app.piece_sources (day, piece_id);

-- One row: how far app.cut_sources has come.
create table app.sources_cut (
  day      date not null,
  piece_id uuid not null
);

insert into app.sources_cut values ('-infinity', '00000000-0000-0000-0000-000000000000');

-- What is read most, best first: of every category the first 500, and among them the first 500 of all.
create table pub.trending (
  span           text    not null check (span in ('24h', '7d', '30d')),
  place          integer not null check (place > 0),
  category       text    not null,
  category_place integer not null check (category_place between 1 and 500),
  piece_id       uuid    not null,
  score          real    not null,
  primary key (span, place)
);

create unique index trending_of_category on pub.trending (span, category, category_place);

-- ---------------------------------------------------------------------------------------------------------------------
-- Webhooks: where a writer wants deliveries, and the deliveries.
--
-- A delivery is ordered by the database itself, in the transaction that makes a piece public for the first time: what
-- publishes cannot forget it, and a publication whose delivery has no body does not commit. What is sent are those bytes,
-- at every attempt. When a piece is no longer public, for whatever reason, its pending deliveries are deleted.
-- Where a delivery goes, and with which secret, is decided when it goes; secrets lie here sealed (SECRETS_KEY).
-- Locks: the webhook first, then its deliveries.
-- Errors: SF401 no live session, SF404 no webhook, SF409 not in this state, SF419 too often, SF428
-- signed in too long ago.

create table app.webhooks (
  writer_id       uuid        primary key references app.writers on delete cascade,
  url             text        not null check (char_length(url) between 1 and 2048),
  state           text        not null default 'unproven' check (state in ('unproven', 'live', 'paused', 'disabled')),
  disabled_for    text        check (disabled_for in ('gone', 'failing')),
  secret          bytea       not null check (octet_length(secret) between 32 and 512),
  secret_hint     text        not null check (char_length(secret_hint) <= 8),
  secret_made_at  timestamptz not null default clock_timestamp(),
  former_secret   bytea       check (octet_length(former_secret) between 32 and 512),
  former_until    timestamptz,
  created_at      timestamptz not null default clock_timestamp(),
  -- When its address was given, and what it was before it was moved there and has to prove itself.
  url_given_at    timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  before_move     text        check (before_move in ('live', 'paused', 'disabled')),
  -- From then on publications are kept for it, whatever its state.
  live_since      timestamptz,
  -- Since when this address has answered, and its owner with it.
  proven_at       timestamptz,
  owner_proven_at timestamptz,
  -- Since when it has waited in line to be served, or when it will come to the end of the line; null without anything to
  -- send. Never later than it could be served: too early costs one look.
  ready_at        timestamptz,
  -- How many attempts at once: one more with each that succeeds, one alone after one that fails.
  width           smallint    not null default 1 check (width between 1 and 4),
  -- Failures since the last success; after ten it rests between tries.
  failures        integer     not null default 0,
  rests_until     timestamptz,
  -- The first delivery that failed since, and when two have, half a day apart: five days after that it is disabled.
  first_failed    uuid,
  first_failed_at timestamptz,
  failing_since   timestamptz,
  warned_at       timestamptz,
  check ((state = 'disabled') = (disabled_for is not null)),
  check ((former_secret is null) = (former_until is null))
);

-- Two lines, so that those who fail never stand before those who do not.
create index webhooks_in_line on app.webhooks ((failures > 0), ready_at) where ready_at is not null;

create table app.deliveries (
  id           uuid        primary key default gen_random_uuid(),
  writer_id    uuid        not null references app.writers on delete cascade,
  event        text        not null check (event in ('piece.published', 'webhook.ping')),
  piece_id     uuid,
  sequence     bigint      not null,
  state        text        not null check (state in ('pending', 'held', 'delivered', 'exhausted', 'cancelled')),
  -- 1 MiB at most. Null once it is cancelled, and until the transaction that orders it ends.
  body         bytea       check (octet_length(body) <= 1048576),
  created_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- While it is under way: when its lease ends and another worker may claim it.
  due_at       timestamptz not null default clock_timestamp(),
  -- Ever, and since it was last ordered or resent.
  attempts     integer     not null default 0,
  tries        integer     not null default 0,
  -- Of the attempt under way. A worker with another one cannot record a result.
  lease_token  uuid,
  leased_at    timestamptz,
  held_at      timestamptz,
  ended_at     timestamptz,
  resent_at    timestamptz,
  last_at      timestamptz,
  last_status  integer,
  last_problem text,
  check ((event = 'webhook.ping') = (piece_id is null)),
  check ((lease_token is null) = (leased_at is null)),
  check (lease_token is null or state = 'pending'),
  check (state <> 'cancelled' or body is null)
);

create index deliveries_due on app.deliveries (writer_id, due_at) where state = 'pending';

create index deliveries_under_way on app.deliveries (writer_id, leased_at) where lease_token is not null;

create index deliveries_of_writer on app.deliveries (writer_id, created_at desc, id desc);

create index deliveries_pings on app.deliveries (writer_id, created_at desc) where event = 'webhook.ping';

create index deliveries_of_piece on app.deliveries (piece_id) where piece_id is not null;

create index deliveries_by_age on app.deliveries (created_at) where state <> 'pending';

-- What each attempt met. Text from their servers is at most a KiB.
create table app.delivery_attempts (
  delivery_id uuid        not null references app.deliveries on delete cascade,
  attempt     integer     not null,
  writer_id   uuid        not null,
  at          timestamptz not null,
  ms          integer,
  url         text        not null,
  address     inet,
  sent_at     bigint,
  signature   text,
  status      integer,
  problem     text        check (char_length(problem) <= 40),
  detail      text        check (char_length(detail) <= 500),
  answer_type text        check (char_length(answer_type) <= 200),
  answer      text        check (char_length(answer) <= 1024),
  primary key (delivery_id, attempt)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Delivering: what the worker asks and tells.
--
-- Claiming takes webhooks from the queue, each for as many attempts as it has free slots, and puts it back at the end: so
-- nobody's backlog comes before another's first. An attempt is counted when it is claimed, so that what ends a worker ends
-- some time too. A lease lasts three times the longest attempt; then another worker may claim, and the token of the one
-- before ends nothing any more. All times are the database's.
-- How long to wait after a failure is decided by who knows the answer (features/webhooks/retry-policy.ts).

-- ---------------------------------------------------------------------------------------------------------------------
-- What a worker tells monitors about the line of deliveries: figures, and nothing of anybody's.

-- The last hour's, for operators.
create index delivery_attempts_by_time on app.delivery_attempts (at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Receipts: what the site vouches for when a piece becomes public, and since when it vouches for its writers.
--
-- A receipt is the public side of a row of the trail: the database writes what it says, in the transaction of Publish,
-- Update or Approve, and a publication whose receipt is not signed does not commit. The signer adds the hash of what
-- readers get and its signature, and can change nothing else. It says that a person did it and in which role, never who.
-- Each names the hash of the one before, also across an Unpublish; what is no longer public has no public receipt.
-- Keys that have signed stay here, their public halves: a receipt is verified with the key of its day.

create index recent_revisions_by_key on app.recent_revisions (piece_id, revision) where key_id is not null;

create table pub.receipts (
  piece_id  uuid  primary key,
  author_id uuid  not null,
  receipt   jsonb not null check (receipt ->> 'content' ~ '^[0-9a-f]{64}$'),
  -- Null until the transaction that orders it ends.
  key_id    text,
  signature bytea check (octet_length(signature) = 64)
);

create table pub.receipt_keys (
  id         text        primary key check (char_length(id) = 43),
  public_key bytea       not null check (octet_length(public_key) = 32),
  since      timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);

create index authors_with_evidence on pub.authors (slug) where identity_verified or website_verified;

-- ---------------------------------------------------------------------------------------------------------------------
-- A moderator who reads a reported piece has the reports beside it, and reporters get their answer.
--
-- A reader who left an address with a report gets one email when a moderator decides. The desk takes the addresses in the
-- transaction that decides and orders the emails in it, which deletes them from the reports.
--
-- Errors: SF401 no live session, SF403 no moderator.

-- ---------------------------------------------------------------------------------------------------------------------
-- Search by volumes instead of by GIN indexes (docs/search.md).
--
-- What is public waits here until the worker files it; a search reads what waits as well, so a piece is found as soon
-- as it is public. A segment (a row of `volumes`) is never changed: pieces that changed are indexed again, and small segments are merged into
-- larger ones. Nothing here decides what is found: every hit is verified against the public schema.

-- The strings that many pieces have (platform/ngram-index/trie.ts), learned when there were so many pieces.
create table search.trees (
  id         integer     generated always as identity primary key,
  pieces     integer     not null,
  strings    bytea       not null,
  learned_at timestamptz not null default now()
);

create table search.volumes (
  id         integer     generated always as identity primary key,
  tree       integer     not null references search.trees,
  pieces     integer     not null,
  newest     timestamptz not null,
  -- The changes it knows: those visible to the transaction that read the texts.
  as_of      pg_snapshot not null,
  state      text        not null check (state in ('binding', 'ready', 'retired')),
  -- From this number on its pieces are in a volume of a newer tree as well.
  again_from integer,
  retired_at timestamptz
);

-- Lists of pieces by key, as many as fit a page (platform/ngram-index/posting-pages.ts): never compressed, never moved out.
create table search.pages (
  volume integer not null,
  key    bigint  not null,
  part   integer not null,
  lists  bytea   not null,
  primary key (volume, key, part)
);

alter table search.pages alter column lists set storage plain;

-- Maps the document numbers of posting lists to pieces: 336 in a row, newest first.
create table search.members (
  volume       integer     not null,
  ordinal      integer     not null,
  published_at timestamptz not null,
  places       bytea       not null,
  primary key (volume, ordinal)
);

alter table search.members alter column places set storage plain;

create index members_by_recency on search.members (volume, published_at, ordinal);

create table search.waiting (
  piece_id     uuid        primary key,
  published_at timestamptz not null,
  since        timestamptz not null
)
-- Every search reads it in the order of its index, dead rows included: 300,000 of them cost 1,500 buffers.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index waiting_by_recency on search.waiting (published_at desc, piece_id desc);

-- Pieces that are no longer as some volume has them. Kept until no volume is older.
create table search.changes (
  piece_id uuid        not null,
  at       timestamptz not null default now(),
  by       xid8        not null default pg_current_xact_id(),
  primary key (piece_id, by)
);

create index changes_by_time on search.changes (at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Recovery: the person who reads the emails of an account's address takes it back, and what another began in it ends.
-- docs/accounts.md has the whole model.
--
-- A change of address is notified to the address the account has when it is asked for, and again when it is made. Each of
-- these emails has a link that sets a new password and gives the old address back, until 72 hours after the change.
-- Meanwhile no second change is taken: its undo would go to the author of the first.
-- A new password, by a link or in a session, and "sign out everywhere else" end every change that waits and every link
-- that was sent. A reset also removes the passkeys, keys and private links that its owner does not know.
-- Passwords have one length, with or without a passkey: a shorter one signed in alone.
-- Errors: as for accounts and another address; SF409 a change of the last 72 hours.

create index mail_tokens_by_email on app.mail_tokens (email) where email is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Reads that nobody can buy, and notes that go with whom they are about.
--
-- A network counts so often a minute, and moves the rank of a piece by so many reads a day.
-- A network (IPv4 /24, IPv6 /48) is a mark as a reader is: a hash with the day's salt. Its count of this minute holds no
-- piece; its count for a piece is another mark, so that the two cannot be linked. Both are unlogged and go with the
-- marks of their day.
-- What is over the limit of the minute leaves nothing behind, not even a mark: a reader who comes back later is counted.
--
-- When an account is closed, what moderators wrote in app.audit about its pieces goes too, as it went in the two other
-- trails; so does its address, wherever it waits in the queue or was left with a report.

-- `since` is the minute that `used` tells of; '-infinity' where it tells of the whole day.
create table app.read_limits (
  is_odd boolean     not null,
  mark   uuid        not null,
  since  timestamptz not null,
  used   integer     not null,
  primary key (is_odd, mark)
) partition by list (is_odd);

create unlogged table app.read_limits_even partition of app.read_limits for values in (false) with (fillfactor = 75);

create unlogged table app.read_limits_odd partition of app.read_limits for values in (true) with (fillfactor = 75);

comment on table app.piece_reads_hourly is 'Reads that rank: of each network the first few of a day.';

-- ---------------------------------------------------------------------------------------------------------------------
-- Who signed up a moment ago publishes a few pieces, not sixty.
--
-- Counted are pieces, not acts: to take one back and publish it again is nobody's spam. An account that the operator added is
-- vouched for and not counted. What goes to moderators first is theirs to judge.
-- Errors: SF401 no live session, SF419 enough for now.

-- ---------------------------------------------------------------------------------------------------------------------
-- Proof at the moment of publishing: a session that was opened days ago is not enough to put words before readers.
--
-- What a site asks of its writers is its setting (PUBLISH_PROOF): a session; a sign-in or confirmation of the last 12
-- hours; or a passkey shown within ten minutes. A moderator needs at least the second, and a passkey once they
-- have one. The receipt of a publication says by what its person was known, and how long before.
-- Errors: SF401 no live session, SF403 no passkey where one is asked for, SF42R signed in too long ago for this, SF4PP
-- not by passkey.

-- ---------------------------------------------------------------------------------------------------------------------
-- Keys that cannot destroy: a key reaches the drafts it made, more only by scope; and what is deleted can be restored.
--
-- pieces:write lists a writer's pieces, makes drafts, and reads, changes and deletes those this very key made.
-- drafts:read, drafts:edit (which includes reading) and drafts:delete reach all drafts of the writer. Row security and
-- the functions below ask the key itself, so what the application thinks of it does not matter.
-- Deleting a draft, by key or by person, puts it in its writer's trash for 30 days. It is then hidden from everything but
-- the functions that list, restore and delete for good, which demand a live session of its writer. Each of these acts is a
-- row of app.audit that says by which key or in which session.
-- Errors: SF401 no live session, SF403 not this key's to delete, SF404 not in the writer's trash.

create index pieces_in_trash on app.pieces (deleted_at) where deleted_at is not null;

create index pieces_in_trash_of_writer on app.pieces (writer_id, deleted_at desc, id desc) where deleted_at is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- A key that was found in public can be revoked by anyone who found it.
--
-- Who reports a key shows it, and who has it could use it: that is proof enough, and the worst a false friend can do is to
-- revoke a key that is already known to others. Its writer is emailed by a job in the same transaction. Nothing is
-- answered, so a report tells less than a request with the key would.
--

-- Lock: ACCESS EXCLUSIVE on app.writer_audit for an instant.

-- ---------------------------------------------------------------------------------------------------------------------
-- Suspension: a moderator hides everything of a writer in one act, and brings it back in one act.
--
-- What the public schema has of the writer moves, row by row as it is, to app.suspended_rows; nothing public reads it, so
-- no public query knows of suspensions and none of them is slower. Restoring moves the same rows back: addresses, dates
-- and receipts are what they were, and nothing is delivered again, since deliveries are ordered by the status of a piece, which
-- does not change. What its writer withdraws meanwhile is not brought back.
-- A row is kept as jsonb, by the names of its columns: one that a later migration adds to a public table has its default.
-- While it lasts the writer signs in, reads, exports and deletes; they write, list and publish nothing.
-- Errors: SF400 no reason, SF401 no live session, SF403 no moderator, or nobody a moderator suspends, SF404 no such
-- writer, SF409 suspended already, or not suspended, SF4SU a suspended writer.

create table app.suspensions (
  writer_id uuid        primary key references app.writers on delete cascade,
  at        timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- The writer reads it.
  reason    text        not null check (char_length(reason) between 1 and 2000)
);

-- Goes with its suspension, by a trigger: a foreign key would be checked 8,000 times for a writer of 2,000 pieces.
create table app.suspended_rows (
  writer_id uuid  not null,
  -- Of the piece, the listing or the author.
  id        uuid  not null,
  was_in    text  not null check (was_in in ('authors', 'pieces', 'piece_contents', 'piece_texts', 'receipts', 'products')),
  kept      jsonb not null,
  primary key (writer_id, id, was_in)
);

do $$
begin
  alter table app.suspended_rows alter column kept set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Who becomes a writer: by invitation where the site wants it, with a limit of emails to unverified addresses, and with a second
-- reader for their first pieces.
--
-- An invitation is a link that a moderator or the operator made: for one account, and for two weeks. The person who has it gives
-- an address of their own and confirms it like everybody; it is used up when the account is complete, so that an email
-- that is lost costs nobody an invitation. It asks for five emails at most.
-- Emails that anyone can make us send are counted by the hour, all together.
-- Errors: SF401 no live session, SF403 no moderator, SF404 no such invitation, SF410 an invitation that does not work,
-- SF419 enough invitations.

-- ---------------------------------------------------------------------------------------------- invitations
create table app.invitations (
  id         uuid        primary key default gen_random_uuid(),
  token_hash bytea       not null unique check (octet_length(token_hash) = 32),
  -- Null for the operator, and for a moderator who has left.
  made_by    uuid        references app.accounts on delete set null,
  -- Where it was sent, until it is used; null where its link was given by hand.
  email      text        check (email = lower(email) and char_length(email) between 3 and 254),
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  expires_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()) + interval '14 days',
  asked      integer     not null default 0,
  used_at    timestamptz,
  used_by    uuid        references app.accounts on delete cascade
);

create index invitations_by_time on app.invitations (created_at);

create index invitations_by_maker on app.invitations (made_by, created_at);

create index invitations_used_by on app.invitations (used_by);

create index invitations_by_email on app.invitations (email) where email is not null;

-- ---------------------------------------------------------------------------------------------- emails to unverified addresses
create table app.sign_up_emails (
  hour timestamptz primary key,
  sent integer     not null check (sent >= 0)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- What happened to each account, for its owner to read: sign-ins, passwords, passkeys, keys, links, addresses, roles.
--
-- Triggers write it, so that no way around them is forgotten, in the transaction of the act and at its end: by then
-- every other lock is held, and the head of the chain is the last. Each row has the hash of the one before, and the
-- head of each chain is kept beside it, so that a change, a gap and a cut end are found (app.check_security_chains).
-- A chain is of one account and goes with it, whole: nothing of a closed account has to stay for the others' sake.
-- Rows of more than a year go, oldest first; the head knows how many. docs/adr/0017
-- Errors: SF401 no live session.

create table app.security_heads (
  account_id uuid        primary key references app.accounts on delete cascade,
  number     integer     not null check (number >= 0),
  at         timestamptz not null,
  hash       bytea       not null check (octet_length(hash) in (0, 32)),
  -- The rows that were too old and are gone.
  swept      integer     not null default 0 check (swept between 0 and number),
  -- The first row that was wrong when the chain was last checked.
  broken     integer
);

create index security_heads_broken on app.security_heads (account_id) where broken is not null;

create table app.security_events (
  account_id uuid        not null references app.accounts on delete cascade,
  number     integer     not null check (number >= 1),
  at         timestamptz not null,
  act        text        not null check (act ~ '^[a-z_]{3,40}$'),
  -- Strings alone, so that everybody writes them the same way.
  facts      jsonb       not null check (jsonb_typeof(facts) = 'object'),
  -- Empty for the first.
  previous   bytea       not null check (octet_length(previous) in (0, 32)),
  hash       bytea       not null check (octet_length(hash) = 32),
  primary key (account_id, number)
);

create index security_events_by_age on app.security_events (at, account_id, number);

-- Wrong tries are kept by the hash of an address.
create index accounts_by_attempt_key on app.accounts (app.attempt_key('account', email));

-- ---------------------------------------------------------------------------------------------------------------------
-- Seven days before an account is deleted for good; and codes that sign in when everything else is lost.
--
-- The owner sees the date at the desk and in an email; until then everything stays as it is. A button at the
-- desk and the link in the email cancel it, and so does whatever ends what waits (app.end_what_waits): an intruder who asked
-- for it destroys nothing of an owner who takes their account back. The worker deletes what is due.
-- Recovery codes are ten, of 80 random bits, each for one sign-in in place of a password. A try at one is counted like a
-- try at a password. A password that is set by a link in an email deletes all of them: an intruder may have made them.
-- Errors: SF400 not their name, SF401 no live session, SF404 the account is not to be deleted, SF410 a used or old link,
-- SF419 asked for too often, SF428 signed in too long ago.

create index accounts_to_delete on app.accounts (delete_at) where delete_at is not null;

-- ---------------------------------------------------------------------------------------------- recovery codes
create table app.recovery_codes (
  account_id uuid        not null references app.accounts on delete cascade,
  code_hash  bytea       not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  used_at    timestamptz,
  primary key (account_id, code_hash)
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Reports of illegal content, of private information, and of listings.
--
-- A report of illegal content says why it is illegal and where exactly, in good faith (Regulation (EU) 2022/2065, article
-- 16); the reporter's name and address are theirs to give. The name is kept with the address and goes with it.
-- Listings are reported as pieces are and wait in the same queue, illegal content first.
-- `p_kind` is 'piece' or 'listing' throughout: people choose the ids of both, so an id alone names neither.
-- Errors as for reports.

alter table app.reports add foreign key (product_id) references app.products on delete cascade;

create index reports_of_product on app.reports (product_id) where product_id is not null;

-- ---------------------------------------------------------------------------------------------------------------------
-- Statements of reasons, and appeals.
--
-- Each takedown, each rejection and each listing taken out of the shop is a row of app.decisions: what was decided, for
-- which category, the facts in the moderator's words, and whether a report led to it. Its writer reads it and appeals
-- once, within six months. Another person than who decided decides the appeal: a constraint holds that, whatever function
-- writes. Where there is no other moderator, the operator does (app.operator_decide_appeal).
-- What was public is kept with the decision, row for row, so that a reversal brings back exactly that, receipt and dates
-- included. It is deleted when six months are over and no appeal is open.
-- Errors: SF400 not that outcome, SF401 no live session, SF403 no moderator, their own work or their own decision, SF404
-- no such decision, SF409 appealed or decided already, SF410 too late.

create table app.decisions (
  id           uuid        primary key default gen_random_uuid(),
  at           timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  act          text        not null check (act in ('take_down', 'reject', 'withhold')),
  piece_id     uuid        references app.pieces on delete cascade,
  product_id   uuid        references app.products on delete cascade,
  writer_id    uuid        not null,
  -- Null for the operator, and for a moderator whose account is closed.
  moderator_id uuid        references app.accounts on delete set null,
  category     text        not null check (category in ('spam', 'harassment', 'illegal', 'copyright',
                             'private_information', 'impersonation', 'danger', 'other', 'editorial')),
  facts        text        not null check (char_length(facts) between 1 and 2000),
  by_report    boolean     not null,
  -- Of the piece, or the name of the listing, as it was then.
  headline     text        not null,
  to_status    text        not null,
  -- What was public, or what was rejected; what a reversal brings back.
  kept         jsonb,
  appeal       text        check (char_length(appeal) between 1 and 4000),
  appealed_at  timestamptz,
  outcome      text        check (outcome in ('upheld', 'reversed')),
  answer       text        check (char_length(answer) between 1 and 2000),
  decided_at   timestamptz,
  decided_by   uuid        references app.accounts on delete set null,
  check (num_nonnulls(piece_id, product_id) = 1),
  check ((appeal is null) = (appealed_at is null)),
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (answer is null)),
  check (outcome is distinct from 'upheld' or appealed_at is not null),
  constraint another_decides_the_appeal
    check (appealed_at is null or decided_by is null or moderator_id is null or decided_by <> moderator_id)
);

create index decisions_of_writer on app.decisions (writer_id, at);

create index decisions_of_piece on app.decisions (piece_id) where piece_id is not null;

create index decisions_of_product on app.decisions (product_id) where product_id is not null;

create index decisions_by_moderator on app.decisions (moderator_id);

create index decisions_by_appeal_moderator on app.decisions (decided_by);

create index decisions_newest on app.decisions (at, id);

create index appeals_open on app.decisions (appealed_at, id) where appealed_at is not null and outcome is null;

-- What deciding answers: what it was about, whether that is public now, and where to purge.
create type app.settled as (piece_id uuid, product_id uuid, writer_slug text, is_public boolean, was_appealed boolean);
revoke usage on type app.settled from public;
grant usage on type app.settled to svc_publisher;

-- The acts of moderators, newest first.
create index audit_of_moderators on app.audit (at, id)
  where act in ('approve', 'request_changes', 'reject', 'take_down', 'dismiss_reports', 'uphold', 'reinstate');

-- ---------------------------------------------------------------------------------------------------------------------
-- A passkey that is shown in order to publish is shown for one text: its challenge belongs to the nonce of the revision
-- that the person looked at, and proves nothing for another. And a person who confirms who they are goes on in the session
-- they have, under a new token, so that what they looked at is still theirs to publish.
--
-- Errors: as for the proof at publishing.

-- ---------------------------------------------------------------------------------------------------------------------
-- History that fits. Every save of the last day is a row of app.recent_revisions. The worker then keeps the last of each ten
-- minutes of one hand, and whatever was acted on, named or saved by a key; what is kept lies many to a row in
-- app.packed_revisions, where lz4 finds what they have in common. Readers ask app.past_revisions, which is both.

create table app.packed_revisions (
  piece_id       uuid    not null references app.pieces on delete cascade,
  first_revision integer not null,
  writer_id      uuid    not null,
  -- Of the bodies. A row holds up to 250 kB of them: 400 saves of up to 6 kB came to 89 kB in rows of 60 kB, 57 in these
  -- and 47 in rows of 1 MB. They are put together when they are read.
  bytes          integer not null,
  -- Rows of app.recent_revisions, whose columns must keep their names.
  saves          jsonb   not null,
  primary key (piece_id, first_revision)
);

do $$
begin
  alter table app.packed_revisions alter column saves set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

-- What a writer calls a revision that they want to find again. It is kept for good.
create table app.revision_names (
  piece_id  uuid    not null references app.pieces on delete cascade,
  revision  integer not null,
  writer_id uuid    not null,
  name      text    not null check (char_length(name) between 1 and 80),
  primary key (piece_id, revision)
);

create view app.past_revisions with (security_invoker) as
  select piece_id, revision, writer_id, saved_at, account_id, key_id,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.recent_revisions
  union all
  select p.piece_id, s.revision, p.writer_id, s.saved_at, s.account_id, s.key_id,
         s.headline, s.sub, s.body_md, s.category, s.tags, s.frame, s.style, s.locale, s.fields
    from app.packed_revisions p, jsonb_populate_recordset(null::app.recent_revisions, p.saves) s;

create view app.revisions with (security_invoker) as
  select piece_id, revision, writer_id, saved_at, account_id, key_id,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.past_revisions
  union all
  select id, revision, writer_id, updated_at, saved_by_account, saved_by_key,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.pieces
   where coalesce(saved_by_account, saved_by_key) is not null;

-- Which saves are older than a day.
create index recent_revisions_by_age on app.recent_revisions (saved_at);

-- ---------------------------------------------------------------------------------------------------------------------
-- Who may write the index of search: a lease with a number that grows at each change of hands, instead of a lock that
-- belongs to a session, which a connection pooler lends to other clients or keeps after its client is gone.

create table search.lease (
  only_row boolean     primary key default true check (only_row),
  holder   uuid,
  -- A worker with another number writes nothing.
  token    bigint      not null default 0,
  until    timestamptz not null default '-infinity'
);

insert into search.lease default values;
