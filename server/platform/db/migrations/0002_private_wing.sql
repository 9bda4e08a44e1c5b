-- The private wing: people, their sessions, their pieces.
--
-- Lock: none that matters; the tables are new.

set local role svc_owner;

create table app.accounts (
  id                uuid        primary key default gen_random_uuid(),
  email             text        not null unique check (email = lower(email) and char_length(email) between 3 and 254),
  role              text        not null default 'writer' check (role in ('writer', 'moderator', 'operator')),
  password_hash     text,
  email_verified_at timestamptz,
  disabled_at       timestamptz,
  created_at        timestamptz not null default now()
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
  revoked_at   timestamptz
);
create index sessions_of_account on app.sessions (account_id);

create function app.is_free_slug(slug text) returns boolean
  language sql immutable parallel safe
  as $$
    select slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$' and slug <> all (array[
      'about', 'admin', 'api', 'author', 'desk', 'developers', 'embed', 'feed', 'llms', 'login', 'me', 'p',
      'products', 'recent', 'search', 'shop', 'sign-in', 'trending', 'well-known'
    ])
  $$;

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
  joined_at            timestamptz not null default date_trunc('milliseconds', now())
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
  style              text        not null default 'essay' check (char_length(style) between 1 and 40),
  locale             text        not null default 'en' check (char_length(locale) between 2 and 35),
  fields             jsonb       not null default '{}' check (jsonb_typeof(fields) = 'object'),
  revision           integer     not null default 1 check (revision > 0),
  -- Made at first publication and never moved again.
  slug               text        check (slug ~ '^[a-z0-9][a-z0-9-]*$' and char_length(slug) <= 90),
  first_published_at timestamptz,
  review_required    boolean     not null default false,
  created_at         timestamptz not null default date_trunc('milliseconds', now()),
  updated_at         timestamptz not null default date_trunc('milliseconds', now()),
  unique (writer_id, slug),
  check (editor_status <> 'approved' or (slug is not null and first_published_at is not null))
);
create index pieces_of_writer on app.pieces (writer_id, created_at desc, id desc);

-- Shown with a revision, used once: what is published is what the writer saw.
create table app.publish_nonces (
  nonce_hash bytea       primary key check (octet_length(nonce_hash) = 32),
  piece_id   uuid        not null references app.pieces on delete cascade,
  revision   integer     not null,
  session_id uuid        not null references app.sessions on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz
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
  note        text
);
create index audit_of_piece on app.audit (piece_id, id);
