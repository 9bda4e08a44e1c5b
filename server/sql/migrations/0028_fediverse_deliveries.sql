-- What actors of the fediverse send: pieces that came, changed or went, activities about them, and a delivery to each inbox.

-- step: once
set local role svc_owner;

-- An actor whose writer has closed the account: its key is needed until other servers were asked to forget it. Its writer is
-- therefore no reference.
alter table app.fediverse_actors add column ended_at timestamptz;

alter table app.fediverse_actors drop constraint fediverse_actors_writer_id_fkey;

-- What has changed, written by the transaction that publishes, until a worker has ordered the activities.
create table app.fediverse_changes (
  id       bigint generated always as identity primary key,
  piece_id uuid    not null,
  -- It has become public.
  is_new   boolean not null
);

-- Pieces as other servers know them. Once they were asked to delete an object they take no other with its address, so a piece
-- that comes back is a new object, with the next number.
create table app.fediverse_objects (
  id       uuid     primary key default gen_random_uuid(),
  -- Not a reference: other servers are asked to delete it also when nothing is left of the piece.
  piece_id uuid     not null,
  number   smallint not null,
  -- Whose it is, for as long as it exists.
  actor_id uuid     not null references app.fediverse_actors on delete cascade,
  has_gone boolean  not null default false,
  constraint fediverse_objects_number unique (piece_id, number)
);

create index fediverse_objects_of_actor on app.fediverse_objects (actor_id);

create table app.fediverse_activities (
  id          uuid        primary key default gen_random_uuid(),
  actor_id    uuid        not null references app.fediverse_actors on delete cascade,
  kind        text        not null
    check (kind in ('accept', 'announce', 'create', 'update', 'delete', 'move', 'update_actor')),
  -- Of a piece the current text is sent; anything else is sent as it was ordered. With neither, the actor
  -- itself has changed or ended.
  object_id   uuid        references app.fediverse_objects on delete cascade,
  document    jsonb,
  created_at  timestamptz not null default clock_timestamp(),
  -- The last inbox that it was ordered for; and whether that was the last of all.
  through     text        collate "C",
  is_expanded boolean     not null default false,
  constraint fediverse_activities_what_check check (
    case when num_nonnulls(object_id, document) = 0 then kind in ('delete', 'update_actor') else num_nonnulls(object_id, document) = 1 end)
);

create index fediverse_activities_to_expand on app.fediverse_activities (created_at) where not is_expanded;

create index fediverse_activities_of_actor on app.fediverse_activities (actor_id);

create index fediverse_activities_of_object on app.fediverse_activities (object_id) where object_id is not null;

-- Where inboxes are: deliveries to one host are paced together.
create table app.fediverse_hosts (
  -- The name, and the port if it has one.
  host        text        collate "C" primary key check (char_length(host) between 1 and 300),
  -- When its next delivery is due; null if there is none.
  ready_at    timestamptz,
  -- Deliveries that may be under way at once.
  width       smallint    not null default 1,
  failures    integer     not null default 0,
  rests_until timestamptz,
  -- The kind of HTTP signature that it accepted last.
  signature   text        check (signature in ('draft-cavage', 'rfc9421'))
);

create index fediverse_hosts_ready on app.fediverse_hosts (ready_at) where ready_at is not null;

-- One for each inbox and object: what waits is the newest activity about it, and what has arrived is kept, since it may have to
-- be deleted. Of activities that are not about a piece there is one for each, until it is sent.
create table app.fediverse_deliveries (
  id          uuid        primary key default gen_random_uuid(),
  object_id   uuid        references app.fediverse_objects on delete cascade,
  inbox       text        collate "C" not null check (char_length(inbox) <= 2000),
  host        text        collate "C" not null,
  -- What the inbox has of the object: nothing, perhaps (nobody knows whether it arrived), or something.
  has         text        not null default 'nothing' check (has in ('nothing', 'perhaps', 'something')),
  -- The first activity that was sent while it had nothing.
  first_tried uuid,
  -- When what was sent last was tried first: earlier attempts, with what the piece was then, may have arrived too.
  claimed_at  timestamptz,
  -- What waits, and when it is due or until when it is leased; null if nothing does.
  activity_id uuid        references app.fediverse_activities on delete cascade,
  due_at      timestamptz,
  attempts    smallint    not null default 0,
  lease_token uuid,
  constraint fediverse_deliveries_waiting_check check ((activity_id is null) = (due_at is null)),
  constraint fediverse_deliveries_lease_check check (lease_token is null or due_at is not null)
);

create unique index fediverse_deliveries_of_object on app.fediverse_deliveries (object_id, inbox) where object_id is not null;

create index fediverse_deliveries_of_host on app.fediverse_deliveries (host, due_at);

create index fediverse_deliveries_leased on app.fediverse_deliveries (host) where lease_token is not null;

create index fediverse_deliveries_of_activity on app.fediverse_deliveries (activity_id) where activity_id is not null;
