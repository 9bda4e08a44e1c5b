-- Feed readers that are sent every change of a feed (W3C WebSub), and the calls that are made to them.

-- step: once
set local role svc_owner;

-- Where callbacks are: calls to one host are paced together.
create table app.feed_hosts (
  -- The name, and the port if it has one.
  host        text        collate "C" primary key check (char_length(host) between 1 and 300),
  -- When its next call is due; null if there is none.
  ready_at    timestamptz,
  -- Calls that may be under way at once.
  width       smallint    not null default 1,
  failures    integer     not null default 0,
  rests_until timestamptz
);

create index feed_hosts_ready on app.feed_hosts (ready_at) where ready_at is not null;

-- Subscriptions that their callback has confirmed.
create table app.feed_subscriptions (
  id          uuid        primary key default gen_random_uuid(),
  -- A hash of topic and callback, which together are longer than an index takes.
  key         bytea       not null unique check (octet_length(key) = 32),
  -- The address of the feed, as it was subscribed to.
  topic       text        collate "C" not null check (char_length(topic) <= 2000),
  -- What the feed is of, as in app.follows; or `trending`.
  subject     text        collate "C" not null,
  callback    text        not null check (char_length(callback) <= 2000),
  host        text        collate "C" not null,
  secret      bytea,
  expires_at  timestamptz not null,
  -- How often something has changed that may be in the feed; and a hash of what the callback got last.
  changes     bigint      not null default 0,
  sent        bytea       check (octet_length(sent) = 32),
  -- When it is sent next, or until when it is leased; null if it has everything.
  due_at      timestamptz,
  attempts    smallint    not null default 0,
  lease_token uuid,
  constraint feed_subscriptions_lease_check check (lease_token is null or due_at is not null)
);

create index feed_subscriptions_of_subject on app.feed_subscriptions (subject, id);

create index feed_subscriptions_of_host on app.feed_subscriptions (host, due_at);

create index feed_subscriptions_leased on app.feed_subscriptions (host) where lease_token is not null;

create index feed_subscriptions_expired on app.feed_subscriptions (expires_at);

-- Requests to subscribe or unsubscribe that the callback has not confirmed yet, the newest for each topic and callback; and
-- callbacks that are to learn that there is no such feed any more.
create table app.feed_verifications (
  id            uuid        primary key default gen_random_uuid(),
  key           bytea       not null unique check (octet_length(key) = 32),
  mode          text        not null check (mode in ('subscribe', 'unsubscribe', 'denied')),
  topic         text        not null check (char_length(topic) <= 2000),
  subject       text        collate "C",
  callback      text        not null check (char_length(callback) <= 2000),
  host          text        collate "C" not null,
  secret        bytea,
  lease_seconds integer,
  due_at        timestamptz not null,
  attempts      smallint    not null default 0,
  lease_token   uuid,
  constraint feed_verifications_subscribe_check check (mode <> 'subscribe' or num_nulls(subject, lease_seconds) = 0)
);

create index feed_verifications_of_host on app.feed_verifications (host, due_at);

-- What has changed, written by the transaction that publishes, until a worker has found the subscriptions.
create table app.feed_changes (
  id       bigint generated always as identity primary key,
  -- What the feeds that may be different are of; null for all feeds.
  subjects text[],
  -- The last subscription that it was noted for, by id.
  through  uuid
);
