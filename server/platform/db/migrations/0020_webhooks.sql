-- Webhooks: where a writer wants to be told, and what there is to tell.
--
-- A delivery is ordered by the database itself, in the transaction that makes a piece public for the first time: whoever
-- publishes cannot forget it, and a publication whose delivery has no body does not commit. What is sent are those bytes,
-- at every attempt. When a piece leaves the public wing, by whatever way, what was to be sent of it is gone with it.
-- Where a delivery goes, and with which secret, is decided when it goes; secrets lie here sealed (SECRETS_KEY).
-- Locks: the webhook first, then its deliveries.
-- Errors: SF401 no live session, SF404 no webhook, SF409 not in this state, SF419 too often, SF428
-- signed in too long ago.
--
-- Lock: ACCESS EXCLUSIVE on app.writers, app.pieces and pub.pieces for an instant.

set local role svc_owner;

-- How many pieces of theirs have ever become public: the number each delivery carries.
alter table app.writers add column published bigint not null default 0;

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
  -- While it is under way: when its lease ends, and somebody else may take it.
  due_at       timestamptz not null default clock_timestamp(),
  -- Ever, and since it was last ordered or resent.
  attempts     integer     not null default 0,
  tries        integer     not null default 0,
  -- Of the attempt under way. Whoever has another one, or none, ends nothing.
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

-- What each attempt met. Text of strangers is at most a KiB.
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

-- ---------------------------------------------------------------------------------------------- who may do what

alter table app.webhooks enable row level security;
alter table app.deliveries enable row level security;
alter table app.delivery_attempts enable row level security;
create policy desk_reads_own on app.webhooks for select to svc_desk using (writer_id = (select app.session_writer()));
create policy desk_reads_own on app.deliveries for select to svc_desk using (writer_id = (select app.session_writer()));
create policy desk_reads_own on app.delivery_attempts for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy publisher_acts on app.webhooks to svc_publisher using (true) with check (true);
create policy publisher_acts on app.deliveries to svc_publisher using (true) with check (true);
create policy publisher_acts on app.delivery_attempts to svc_publisher using (true) with check (true);
-- Not the secrets: nobody needs them at the desk.
grant select (writer_id, url, url_given_at, state, disabled_for, secret_hint, secret_made_at, former_until, created_at,
              live_since, proven_at, owner_proven_at, failures, rests_until, failing_since) on app.webhooks to svc_desk;
grant select on app.deliveries, app.delivery_attempts to svc_desk;
grant select, insert, update, delete on app.webhooks, app.deliveries, app.delivery_attempts to svc_publisher;
grant update (published) on app.writers to svc_publisher;

grant create on schema app to svc_publisher;
set local role svc_publisher;

update app.writers w set published = had.pieces
  from (select p.writer_id, count(*) as pieces from app.pieces p where p.first_published_at is not null group by 1) as had
 where w.id = had.writer_id;

-- ---------------------------------------------------------------------------------------------- ordering

-- Into the line, at its end; the workers are woken when this commits.
create function app.line_up(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.webhooks set ready_at = least(ready_at, clock_timestamp()) where writer_id = p_writer;
  perform pg_notify('deliveries', '');
end
$$;

-- A piece becomes public: its writer's webhook is told, once. A piece that was unpublished before anybody was told of it
-- is told of when it comes back.
create function app.order_delivery() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook   app.webhooks;
  number bigint;
begin
  if old.first_published_at is null then
    update app.writers w set published = w.published + 1 where w.id = new.writer_id returning w.published into number;
  else
    select max(d.sequence) into number from app.deliveries d
     where d.piece_id = new.id
    having bool_and(d.state = 'cancelled' and not exists (
             select from app.delivery_attempts a where a.delivery_id = d.id and a.status between 200 and 299));
  end if;
  select w.* into hook from app.webhooks w where w.writer_id = new.writer_id for no key update;
  if number is null or hook.live_since is null then
    return null;
  end if;
  insert into app.deliveries (writer_id, event, piece_id, sequence, state, held_at)
  values (new.writer_id, 'piece.published', new.id, number, case hook.state when 'live' then 'pending' else 'held' end,
          case when hook.state <> 'live' then clock_timestamp() end);
  if hook.state = 'live' then
    perform app.line_up(new.writer_id);
  end if;
  return null;
end
$$;

-- What publishing must write a body for, in the transaction that ordered it; nothing where nobody is to be told.
create function app.delivery_to_fill(p_piece uuid) returns bigint
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.sequence from app.deliveries d
     where d.piece_id = p_piece and d.body is null and d.state in ('pending', 'held')
  $$;

create function app.fill_delivery(p_piece uuid, p_body bytea) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set body = p_body
     where piece_id = p_piece and body is null and state in ('pending', 'held')
  $$;

create function app.guard_delivery() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.deliveries d where d.id = new.id and d.body is null and d.state <> 'cancelled') then
    raise exception 'a delivery was ordered and not written' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

-- They are not sent any more, and what was to be sent is not kept. An attempt that is under way ends nothing.
create function app.drop_deliveries(p_deliveries uuid[]) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set
      state = 'cancelled', body = null, ended_at = coalesce(ended_at, clock_timestamp()), lease_token = null, leased_at = null
     where id = any (p_deliveries)
  $$;

-- What leaves the public wing is told to nobody any more, and what was to be said of it is not kept.
create function app.cancel_deliveries() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.webhooks w where w.writer_id in (select g.author_id from gone g)
    order by w.writer_id for no key update;
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d
     where d.piece_id in (select g.id from gone g) and d.state in ('pending', 'held', 'exhausted')));
  update app.deliveries d set body = null
   where d.piece_id in (select g.id from gone g) and d.state = 'delivered' and d.body is not null;
  -- What was under way has left room for another.
  update app.webhooks w set ready_at = least(w.ready_at, clock_timestamp())
   where w.writer_id in (select g.author_id from gone g) and w.ready_at is not null;
  return null;
end
$$;

-- ---------------------------------------------------------------------------------------------- the writer's acts

-- The writer of a session that lives, and their webhook, for this act alone until it is done.
create function app.own_webhook(p_session_hash bytea) returns app.webhooks
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
  hook app.webhooks;
begin
  select w.* into hook from app.webhooks w where w.writer_id = mine.id for no key update;
  if not found then
    raise exception 'You have no webhook. Give the address it should call first.' using errcode = 'SF404';
  end if;
  return hook;
end
$$;

-- Whether this made a webhook, with this secret; one that was there keeps its own. Another address must prove itself, and
-- what there is to send waits for that.
create function app.desk_set_webhook(p_session_hash bytea, p_url text, p_secret bytea, p_hint text) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
  was  text;
begin
  perform app.freshly_signed_in(p_session_hash);
  insert into app.webhooks (writer_id, url, secret, secret_hint) values (mine.id, p_url, p_secret, p_hint)
  on conflict (writer_id) do nothing;
  if found then
    return true;
  end if;
  select w.url into was from app.webhooks w where w.writer_id = mine.id for no key update;
  if was is distinct from p_url then
    update app.webhooks w set
      url = p_url, url_given_at = date_trunc('milliseconds', clock_timestamp()), state = 'unproven',
      before_move = case w.state when 'unproven' then w.before_move else w.state end, disabled_for = null,
      proven_at = null, owner_proven_at = null, width = 1, failures = 0, rests_until = null, first_failed = null, first_failed_at = null, failing_since = null, warned_at = null
     where w.writer_id = mine.id;
    perform app.hold_deliveries(mine.id);
  end if;
  return false;
end
$$;

-- What is not under way waits for its webhook.
create function app.hold_deliveries(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set state = 'held', held_at = clock_timestamp()
     where writer_id = p_writer and state = 'pending' and event <> 'webhook.ping' and lease_token is null
  $$;

create function app.release_deliveries(p_writer uuid) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.deliveries set state = 'pending', held_at = null, tries = 0, due_at = clock_timestamp()
     where writer_id = p_writer and state = 'held';
    select app.line_up(p_writer)
  $$;

create function app.desk_ping(p_session_hash bytea, p_id uuid, p_body bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook  app.webhooks := app.own_webhook(p_session_hash);
  hour  integer;
  since timestamptz;
begin
  select count(*), max(d.created_at) into hour, since from app.deliveries d
   where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.created_at > clock_timestamp() - interval '1 hour';
  if hour >= 60 then
    raise exception 'We have asked your server sixty times within an hour, which is the most. Try again later.'
      using errcode = 'SF419';
  end if;
  -- A new address is asked at once.
  if since >= greatest(hook.url_given_at, clock_timestamp() - interval '3 seconds') then
    raise exception 'We asked your server a moment ago. Look at its answer, then try again in a few seconds.'
      using errcode = 'SF419';
  end if;
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d
     where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.state = 'pending'));
  insert into app.deliveries (id, writer_id, event, sequence, state, body)
  values (p_id, hook.writer_id, 'webhook.ping', 0, 'pending', p_body);
  perform app.line_up(hook.writer_id);
end
$$;

create function app.desk_rotate_webhook(p_session_hash bytea, p_secret bytea, p_hint text, p_keep interval, p_force boolean)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  perform app.freshly_signed_in(p_session_hash);
  if hook.former_until > clock_timestamp() and not p_force then
    raise exception 'Two secrets are in use until the old one ends. Wait for that, or end the old one now.'
      using errcode = 'SF409';
  end if;
  update app.webhooks w set
    secret = p_secret, secret_hint = p_hint, secret_made_at = clock_timestamp(),
    former_secret = case when p_keep > interval '0' then w.secret end,
    former_until = case when p_keep > interval '0' then clock_timestamp() + p_keep end
   where w.writer_id = hook.writer_id;
end
$$;

create function app.desk_pause_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  if hook.state <> 'live' then
    raise exception 'Only a webhook that is live can be paused. Look at it once more to see what can be done.'
      using errcode = 'SF409';
  end if;
  update app.webhooks set state = 'paused' where writer_id = hook.writer_id;
  perform app.hold_deliveries(hook.writer_id);
end
$$;

-- What was published meanwhile goes out now.
create function app.desk_resume_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  if hook.state <> 'paused' then
    raise exception 'This webhook is not paused. Look at it once more to see what can be done.' using errcode = 'SF409';
  end if;
  update app.webhooks set state = 'live' where writer_id = hook.writer_id;
  perform app.release_deliveries(hook.writer_id);
end
$$;

create function app.desk_remove_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d where d.writer_id = hook.writer_id and d.state in ('pending', 'held')));
  delete from app.webhooks where writer_id = hook.writer_id;
end
$$;

-- The same bytes under the same id, now. Of what is still public alone; not while it is under way, and each once in ten
-- seconds. Answers how many.
create function app.desk_resend(p_session_hash bytea, p_delivery uuid, p_from timestamptz, p_to timestamptz,
                                p_only_failed boolean) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- By one act; another takes the next.
  most   constant integer := 1000;
  hook   app.webhooks := app.own_webhook(p_session_hash);
  chosen integer;
begin
  if hook.state <> 'live' then
    raise exception 'Your webhook is not live, so nothing can be sent. Make it live first.' using errcode = 'SF409';
  end if;
  update app.deliveries d set
    state = 'pending', held_at = null, tries = 0, due_at = clock_timestamp(), ended_at = null,
    resent_at = clock_timestamp()
   where d.id in (
    select w.id from app.deliveries w
     where w.writer_id = hook.writer_id and w.event = 'piece.published' and w.body is not null and w.lease_token is null
       and (w.id = p_delivery or w.created_at between p_from and p_to)
       and (not p_only_failed or w.state in ('exhausted', 'held'))
       and (w.resent_at is null or w.resent_at < clock_timestamp() - interval '10 seconds')
       and exists (select from pub.pieces p where p.id = w.piece_id)
     order by w.created_at, w.id limit most);
  get diagnostics chosen = row_count;
  if chosen > 0 then
    perform app.line_up(hook.writer_id);
  end if;
  return chosen;
end
$$;

-- ---------------------------------------------------------------------------------------------- rights

revoke all on function app.line_up(uuid), app.order_delivery(), app.delivery_to_fill(uuid), app.fill_delivery(uuid, bytea),
  app.guard_delivery(), app.drop_deliveries(uuid[]), app.cancel_deliveries(), app.own_webhook(bytea), app.hold_deliveries(uuid),
  app.release_deliveries(uuid), app.desk_set_webhook(bytea, text, bytea, text), app.desk_ping(bytea, uuid, bytea),
  app.desk_rotate_webhook(bytea, bytea, text, interval, boolean), app.desk_pause_webhook(bytea),
  app.desk_resume_webhook(bytea), app.desk_remove_webhook(bytea),
  app.desk_resend(bytea, uuid, timestamptz, timestamptz, boolean)
  from public;
grant execute on function app.delivery_to_fill(uuid), app.fill_delivery(uuid, bytea),
  app.desk_set_webhook(bytea, text, bytea, text), app.desk_ping(bytea, uuid, bytea),
  app.desk_rotate_webhook(bytea, bytea, text, interval, boolean), app.desk_pause_webhook(bytea),
  app.desk_resume_webhook(bytea), app.desk_remove_webhook(bytea),
  app.desk_resend(bytea, uuid, timestamptz, timestamptz, boolean)
  to svc_desk;
-- To hang them on its tables.
grant execute on function app.order_delivery(), app.guard_delivery(), app.cancel_deliveries() to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;

create trigger order_delivery after update of editor_status on app.pieces
  for each row when (new.editor_status = 'approved' and old.editor_status <> 'approved')
  execute function app.order_delivery();
alter table app.pieces enable always trigger order_delivery;
create constraint trigger guard_delivery after insert on app.deliveries deferrable initially deferred
  for each row execute function app.guard_delivery();
alter table app.deliveries enable always trigger guard_delivery;
create trigger cancel_deliveries after delete on pub.pieces referencing old table as gone
  for each statement execute function app.cancel_deliveries();
alter table pub.pieces enable always trigger cancel_deliveries;
