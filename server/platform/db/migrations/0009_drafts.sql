-- Drafts: every save is kept, and a retried request makes one piece.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces for an instant, for its trigger.

set local role svc_owner;

-- Every save that a person or a key made, whole. The newest is the piece as it stands.
create table app.revisions (
  piece_id   uuid        not null references app.pieces on delete cascade,
  revision   integer     not null,
  writer_id  uuid        not null,
  saved_at   timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- Who: a person, or which key.
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
  primary key (piece_id, revision),
  check ((account_id is null) <> (key_id is null))
);
-- For telling writers of what their keys have drafted.
create index revisions_begun_by_key on app.revisions (saved_at) where key_id is not null and revision = 1;

do $$
begin
  alter table app.revisions alter column body_md set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

create function app.keep_revision() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  key     app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
  session app.sessions;
begin
  if key.id is null then
    session := app.acting_session();
  end if;
  if coalesce(key.id, session.account_id) is null then
    if coalesce(app.acting_hash('app.key_hash'), app.acting_hash('app.session_hash')) is not null then
      raise insufficient_privilege using message = 'the key or session was revoked a moment ago';
    end if;
    -- The house itself, filling or mending its tables.
    return null;
  end if;
  insert into app.revisions (piece_id, revision, writer_id, account_id, key_id,
                             headline, sub, body_md, category, tags, frame, style, locale, fields)
  values (new.id, new.revision, new.writer_id, session.account_id, key.id,
          new.headline, new.sub, new.body_md, new.category, new.tags, new.frame, new.style, new.locale, new.fields);
  return null;
end
$$;

create trigger keep_first_revision after insert on app.pieces
  for each row execute function app.keep_revision();
create trigger keep_revision after update on app.pieces
  for each row when (old.revision is distinct from new.revision) execute function app.keep_revision();
alter table app.pieces enable always trigger keep_first_revision, enable always trigger keep_revision;

-- As before, but a save that changes nothing is no revision.
create or replace function app.guard_status() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user = 'svc_publisher' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.editor_status <> 'draft' or new.slug is not null or new.first_published_at is not null then
      raise insufficient_privilege using message = 'a piece begins as a draft; only its writer publishes it, at the desk';
    end if;
    return new;
  end if;
  if (new.id, new.writer_id, new.editor_status, new.slug, new.first_published_at, new.review_required)
     is distinct from
     (old.id, old.writer_id, old.editor_status, old.slug, old.first_published_at, old.review_required) then
    raise insufficient_privilege using message = 'the status of a piece is changed at the desk, through the desk functions';
  end if;
  if (new.headline, new.sub, new.body_md, new.category, new.tags, new.frame, new.style, new.locale, new.fields)
     is not distinct from
     (old.headline, old.sub, old.body_md, old.category, old.tags, old.frame, old.style, old.locale, old.fields) then
    return old;
  end if;
  new.revision := old.revision + 1;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

-- What the writer called the key that saved a revision.
create function app.key_name(p_key uuid) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select k.name from app.api_keys k where k.id = p_key and k.writer_id = app.session_writer() $$;
revoke all on function app.key_name(uuid) from public;
grant execute on function app.key_name(uuid) to svc_desk;

-- History is the writer's alone.
alter table app.revisions enable row level security;
create policy desk_reads_own on app.revisions for select to svc_desk
  using (writer_id = (select app.session_writer()));
grant select on app.revisions to svc_desk;

-- What a create answered, kept for a day, written with the piece itself.
create table app.idempotency (
  writer_id  uuid        not null references app.writers on delete cascade,
  key        text        not null check (char_length(key) between 1 and 255),
  body_hash  bytea       not null check (octet_length(body_hash) = 32),
  answer     json        not null,
  -- When the piece was begun, which the answer tells too.
  begun_at   timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (writer_id, key)
);
create index idempotency_by_age on app.idempotency (created_at);

alter table app.idempotency enable row level security;
create policy key_reads_own on app.idempotency for select to svc_api
  using (writer_id = (select app.key_writer()));
create policy key_adds_own on app.idempotency for insert to svc_api
  with check (writer_id = (select app.key_writer()));
create policy key_forgets_old on app.idempotency for delete to svc_api
  using (writer_id = (select app.key_writer()) and created_at <= now() - interval '24 hours');
grant select, delete, insert (writer_id, key, body_hash, answer, begun_at) on app.idempotency to svc_api;

-- Creates a draft with the rights of its caller, in one round trip: with an idempotency key the piece and its answer
-- are written together, so that a retry, however it races, finds both or neither.
-- `outcome`: created, replayed, in_flight (the same key is at work this moment), mismatch (the key had another body),
-- over_quota (only a repetition is allowed, and this is none), no_key (revoked since it was looked at).
create function app.create_draft(
  p_key_hash bytea, p_id uuid, p_headline text, p_sub text, p_body_md text, p_category text, p_tags text[],
  p_frame text, p_style text, p_locale text, p_fields jsonb,
  p_idempotency_key text, p_body_hash bytea, p_answer json, p_may_create boolean,
  out outcome text, out begun_at timestamptz, out answer json)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
  kept   app.idempotency;
begin
  perform set_config('app.key_hash', encode(p_key_hash, 'hex'), true);
  writer := app.key_writer();
  if writer is null then
    outcome := 'no_key';
    return;
  end if;

  if p_idempotency_key is not null then
    if not pg_try_advisory_xact_lock(hashtextextended(writer::text || p_idempotency_key, 1)) then
      outcome := 'in_flight';
      return;
    end if;
    select i.* into kept from app.idempotency i where i.writer_id = writer and i.key = p_idempotency_key;
    if found and kept.created_at > now() - interval '24 hours' then
      outcome := case when kept.body_hash = p_body_hash then 'replayed' else 'mismatch' end;
      begun_at := kept.begun_at;
      answer := kept.answer;
      return;
    elsif found then
      delete from app.idempotency i where i.writer_id = writer and i.key = p_idempotency_key;
    end if;
  end if;

  if not p_may_create then
    outcome := 'over_quota';
    return;
  end if;
  insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
  values (p_id, writer, p_headline, p_sub, p_body_md, p_category, p_tags, p_frame, p_style, p_locale, p_fields)
  returning created_at into begun_at;
  if p_idempotency_key is not null then
    insert into app.idempotency (writer_id, key, body_hash, answer, begun_at)
    values (writer, p_idempotency_key, p_body_hash, p_answer, begun_at);
  end if;
  outcome := 'created';
end
$$;

revoke all on function app.keep_revision(),
  app.create_draft(bytea, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean)
  from public;
grant execute on function
  app.create_draft(bytea, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean)
  to svc_api;

-- Writers whose keys drafted something since they were last told, once an hour at most; marks them as told.
create function app.writers_to_tell() returns table (account_id uuid, drafts bigint)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with begun as (
      select w.account_id, count(*) as drafts
        from app.revisions r join app.writers w on w.id = r.writer_id join app.accounts a on a.id = w.account_id
       where r.key_id is not null and r.revision = 1
         and r.saved_at > greatest(a.drafts_told_at, clock_timestamp() - interval '1 day')
         and a.drafts_letter and a.disabled_at is null and a.email_verified_at is not null
         and (a.drafts_told_at is null or a.drafts_told_at <= clock_timestamp() - interval '1 hour')
       group by w.account_id
    )
    update app.accounts a set drafts_told_at = clock_timestamp()
      from begun where a.id = begun.account_id
    returning a.id, begun.drafts
  $$;

-- What has served its time.
create function app.sweep_drafts() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ delete from app.idempotency where created_at <= now() - interval '24 hours' $$;

revoke all on function app.writers_to_tell(), app.sweep_drafts() from public;
grant execute on function app.writers_to_tell(), app.sweep_drafts() to svc_worker;

grant create on schema app to svc_publisher;
grant execute on function app.key_writer() to svc_publisher;
set local role svc_publisher;

-- The body of one's own draft. A key never reads the body of a piece that is past being one.
create function app.draft_body(p_piece uuid) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.body_md from app.pieces p
     where p.id = p_piece and p.editor_status = 'draft' and p.writer_id = app.key_writer()
  $$;
revoke all on function app.draft_body(uuid) from public;
grant execute on function app.draft_body(uuid) to svc_api;

set local role svc_owner;
revoke create on schema app from svc_publisher;
