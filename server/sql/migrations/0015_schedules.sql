-- A writer consents, at the desk, to the publication of one revision at one time. The worker carries it out.

-- step: once
set local role svc_owner;

create table app.schedules (
  piece_id     uuid        primary key references app.pieces on delete cascade,
  writer_id    uuid        not null references app.writers on delete cascade,
  account_id   uuid        not null,
  session_id   uuid        not null,
  revision     integer     not null,
  -- Of everything that is published, as app.text_hash makes it.
  text_hash    bytea       not null check (octet_length(text_hash) = 32),
  publish_at   timestamptz not null,
  consented_at timestamptz not null,
  -- As the receipt tells it: how the writer had shown who they are.
  proof        jsonb       not null,
  -- What they were shown. A void consent has none, so it cannot publish anything.
  rendering    jsonb,
  voided_at    timestamptz,
  void_reason  text        check (void_reason in
                           ('changed', 'address', 'deleted', 'review', 'suspended', 'account', 'limit', 'original')),
  notified_at  timestamptz,
  constraint schedules_time_check check (publish_at > consented_at),
  constraint schedules_void_check check ((voided_at is null) = (void_reason is null)
                                         and (voided_at is null) = (rendering is not null))
);

create index schedules_due on app.schedules (publish_at) where voided_at is null;

create index schedules_of_writer on app.schedules (writer_id, publish_at);

create index schedules_to_notify on app.schedules (piece_id) where voided_at is not null and notified_at is null;

-- A step of its own: the locks that the foreign keys take on pieces and writers end before it.
-- step: once
set local role svc_owner;
-- Of a publication that was scheduled: when its writer consented, to which time, and how they had shown who they are.
alter table app.audit add column consent jsonb;
