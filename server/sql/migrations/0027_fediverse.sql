-- Authors and the site as actors of the fediverse (ActivityPub): who follows them there, what other servers sent about pieces,
-- and which servers are blocked.

-- step: once
set local role svc_owner;

-- The id is part of an actor's address, which other servers keep: it never changes, also when the actor is switched off and on.
create table app.fediverse_actors (
  id             uuid        primary key default gen_random_uuid(),
  -- Null for the site's actor.
  writer_id      uuid        unique references app.writers on delete cascade,
  -- RSA: SPKI as PEM; and PKCS8, encrypted with a key that is outside the database.
  public_key     text        not null check (char_length(public_key) <= 2000),
  private_key    bytea       not null,
  is_on          boolean     not null,
  switched_on_at timestamptz,
  created_at     timestamptz not null default clock_timestamp(),
  followers      integer     not null default 0 check (followers >= 0),
  constraint fediverse_actors_on_check check (not is_on or switched_on_at is not null)
);

create unique index fediverse_actor_of_site on app.fediverse_actors ((writer_id is null)) where writer_id is null;

create table app.fediverse_followers (
  actor_id     uuid        not null references app.fediverse_actors on delete cascade,
  -- A hash of the follower's address, which is longer than an index takes.
  key          bytea       not null check (octet_length(key) = 32),
  follower     text        not null check (char_length(follower) <= 2000),
  inbox        text        not null check (char_length(inbox) <= 2000),
  shared_inbox text        check (char_length(shared_inbox) <= 2000),
  -- Where the inbox is: the name, and the port if it has one.
  server       text        collate "C" not null check (char_length(server) between 1 and 300),
  followed_at  timestamptz not null default clock_timestamp(),
  primary key (actor_id, key)
);

create index fediverse_followers_of_server on app.fediverse_followers (server);

create index fediverse_followers_by_key on app.fediverse_followers (key);

-- Servers that nothing is accepted from and nothing is sent to, with their subdomains.
create table app.blocked_servers (
  host       text        collate "C" primary key check (char_length(host) between 1 and 253),
  blocked_at timestamptz not null default clock_timestamp(),
  blocked_by uuid        references app.accounts on delete set null,
  reason     text        check (char_length(reason) between 1 and 500)
);

-- Replies, likes and shares of pieces: each actor counts once. Addresses are kept as hashes only.
create table app.fediverse_reactions (
  piece_id uuid        not null references app.pieces on delete cascade,
  kind     text        not null check (kind in ('reply', 'like', 'share')),
  actor    bytea       not null check (octet_length(actor) = 32),
  -- Of the activity, or of the reply itself: what takes it back names it.
  object   bytea       not null check (octet_length(object) = 32),
  server   text        collate "C" not null check (char_length(server) between 1 and 300),
  at       timestamptz not null default clock_timestamp(),
  primary key (piece_id, kind, actor)
);

create index fediverse_reactions_by_actor on app.fediverse_reactions (actor);

create index fediverse_reactions_of_server on app.fediverse_reactions (server);

-- Hashes of activities that were handled: each has its effect once.
create table app.fediverse_received (
  key         bytea       primary key check (octet_length(key) = 32),
  received_at timestamptz not null default clock_timestamp()
);

create index fediverse_received_at on app.fediverse_received (received_at);

-- How many activities a server had accepted today.
create table app.fediverse_server_days (
  day    date    not null,
  server text    collate "C" not null check (char_length(server) between 1 and 300),
  count  integer not null,
  primary key (day, server)
);
