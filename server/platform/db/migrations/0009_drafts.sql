-- Drafts: every save is kept, and a retried request makes one piece.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces for an instant, for its triggers and constraints.

set local role svc_owner;

-- The specification names no limit for these two; this one keeps lists short. Every row there is satisfies it.
alter table app.pieces
  drop constraint pieces_style_check,
  drop constraint pieces_locale_check,
  add constraint pieces_style_check check (char_length(style) between 1 and 200) not valid,
  add constraint pieces_locale_check check (char_length(locale) between 1 and 200) not valid;

-- Every save that a person or a key made is kept. The newest is the piece itself, which says who saved it; the next
-- save moves it to app.past_revisions. So a draft, which most often is saved once, is written once.
alter table app.pieces
  add column begun_by_key     uuid,
  -- A person, or which key; neither for what the house filled or mended itself.
  add column saved_by_account uuid,
  add column saved_by_key     uuid,
  add constraint pieces_saver_check check (saved_by_account is null or saved_by_key is null) not valid;

create table app.past_revisions (
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
create index past_revisions_saved_at_desk on app.past_revisions (writer_id, saved_at) where account_id is not null;

do $$
begin
  alter table app.past_revisions alter column body_md set compression lz4;
exception
  when feature_not_supported then null;
end
$$;

create view app.revisions with (security_invoker) as
  select piece_id, revision, writer_id, saved_at, account_id, key_id,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.past_revisions
  union all
  select id, revision, writer_id, updated_at, saved_by_account, saved_by_key,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.pieces
   where coalesce(saved_by_account, saved_by_key) is not null;

-- Owned by the publisher, as whatever reads the pieces of everybody is.
grant create on schema app to svc_publisher;
set local role svc_publisher;
create function app.pieces_begun(p_writer uuid, p_by_key boolean, p_since timestamptz) returns bigint
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select count(*) from app.pieces p
           where p.writer_id = p_writer and p.created_at > p_since
             and case when p_by_key then p.begun_by_key is not null
                      else p.begun_by_key is null and p.saved_by_account is not null end);
end
$$;
revoke all on function app.pieces_begun(uuid, boolean, timestamptz) from public;
grant execute on function app.pieces_begun(uuid, boolean, timestamptz) to svc_owner;
set local role svc_owner;
revoke create on schema app from svc_publisher;

-- Whose save this is, asked once the row is locked: a key or session that ended while its save waited saves nothing.
-- Keys have a quota of their own (doors/write/door.ts). A person has 10,000 saves a day, one every three seconds for
-- eight hours: no hand reaches it, and a page that has run wild fills no disk.
create function app.saver(p_writer uuid, out key_id uuid, out account_id uuid)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  key     app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
  session app.sessions;
begin
  key_id := key.id;
  if key_id is not null then
    return;
  end if;
  session := app.acting_session();
  account_id := session.account_id;
  if account_id is null then
    if app.acting_hash('app.session_hash') is not null then
      raise exception 'no live session' using errcode = 'SF401';
    elsif app.acting_hash('app.key_hash') is not null then
      raise insufficient_privilege using message = 'the key was revoked a moment ago';
    end if;
    -- The house itself, filling or mending its tables.
    return;
  end if;
  if (select count(*) from app.past_revisions r
       where r.writer_id = p_writer and r.account_id is not null and r.saved_at > now() - interval '1 day')
     + app.pieces_begun(p_writer, false, now() - interval '1 day') >= 10000 then
    raise exception 'You have saved 10,000 times within a day, which is the most. Keep this page open and save again in an hour.'
      using errcode = 'SF419';
  end if;
end
$$;

create function app.keep_revision() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(old.saved_by_account, old.saved_by_key) is not null then
    insert into app.past_revisions (piece_id, revision, writer_id, saved_at, account_id, key_id,
                                    headline, sub, body_md, category, tags, frame, style, locale, fields)
    values (old.id, old.revision, old.writer_id, old.updated_at, old.saved_by_account, old.saved_by_key,
            old.headline, old.sub, old.body_md, old.category, old.tags, old.frame, old.style, old.locale, old.fields);
  end if;
  return null;
end
$$;

create trigger keep_revision after update on app.pieces
  for each row when (old.revision is distinct from new.revision) execute function app.keep_revision();
alter table app.pieces enable always trigger keep_revision;

-- Refuses a status that is not moved by the publishing functions; counts revisions and notes who made each. A save that
-- changes nothing is none.
create or replace function app.guard_status() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  saver record;
begin
  if current_user = 'svc_publisher' then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.editor_status <> 'draft' or new.slug is not null or new.first_published_at is not null then
      raise insufficient_privilege using message = 'a piece begins as a draft; only its writer publishes it, at the desk';
    end if;
    saver := app.saver(new.writer_id);
    new.begun_by_key := saver.key_id;
    new.saved_by_key := saver.key_id;
    new.saved_by_account := saver.account_id;
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
  saver := app.saver(new.writer_id);
  new.saved_by_key := saver.key_id;
  new.saved_by_account := saver.account_id;
  new.begun_by_key := old.begun_by_key;
  new.revision := old.revision + 1;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

-- What the writer called the key that saved a revision.
create function app.key_name(p_key uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select k.name from app.api_keys k where k.id = p_key and k.writer_id = app.session_writer());
end
$$;
revoke all on function app.key_name(uuid) from public;
grant execute on function app.key_name(uuid) to svc_desk;

-- History is the writer's alone.
alter table app.past_revisions enable row level security;
create policy desk_reads_own on app.past_revisions for select to svc_desk
  using (writer_id = (select app.session_writer()));
grant select on app.past_revisions, app.revisions to svc_desk;
revoke all on function app.saver(uuid), app.keep_revision() from public;
grant execute on function app.saver(uuid) to svc_api, svc_desk;

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

alter table app.idempotency enable row level security;
create policy key_reads_own on app.idempotency for select to svc_api
  using (writer_id = (select app.key_writer()));
create policy key_adds_own on app.idempotency for insert to svc_api
  with check (writer_id = (select app.key_writer()));
create policy key_forgets_old on app.idempotency for delete to svc_api
  using (writer_id = (select app.key_writer()) and created_at <= now() - interval '24 hours');
grant select, delete, insert (writer_id, key, body_hash, piece_id, begun_at, profile_slug, warnings)
  on app.idempotency to svc_api;

-- The address of a writer's public profile, once there is one.
create function app.profile_slug(p_writer uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select a.slug from pub.authors a where a.id = p_writer);
end
$$;

-- Creates a draft with the rights of its caller, in one round trip: with an idempotency key the piece and its answer
-- are written together, so that a retry, however it races, finds both or neither. Row security refuses a writer that is
-- not the key's, and any once the key is revoked.
-- `outcome`: created, replayed, in_flight (the same key is at work this moment), mismatch (the key had another body),
-- over_quota (only a repetition is allowed, and this is none).
create function app.create_draft(
  p_key_hash bytea, p_writer uuid, p_id uuid, p_headline text, p_sub text, p_body_md text, p_category text,
  p_tags text[], p_frame text, p_style text, p_locale text, p_fields jsonb,
  p_idempotency_key text, p_body_hash bytea, p_warnings json, p_may_create boolean,
  out outcome text, out piece_id uuid, out begun_at timestamptz, out profile_slug text, out warnings json)
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  kept app.idempotency;
begin
  perform set_config('app.key_hash', encode(p_key_hash, 'hex'), true);

  if p_idempotency_key is not null then
    if not pg_try_advisory_xact_lock(hashtextextended(p_writer::text || p_idempotency_key, 1)) then
      outcome := 'in_flight';
      return;
    end if;
    select i.* into kept from app.idempotency i where i.writer_id = p_writer and i.key = p_idempotency_key;
    if found and kept.created_at > now() - interval '24 hours' then
      outcome := case when kept.body_hash = p_body_hash then 'replayed' else 'mismatch' end;
      piece_id := kept.piece_id;
      begun_at := kept.begun_at;
      profile_slug := kept.profile_slug;
      warnings := kept.warnings;
      return;
    elsif found then
      delete from app.idempotency i where i.writer_id = p_writer and i.key = p_idempotency_key;
    end if;
  end if;

  if not p_may_create then
    outcome := 'over_quota';
    return;
  end if;
  insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
  values (p_id, p_writer, p_headline, p_sub, p_body_md, p_category, p_tags, p_frame, p_style, p_locale, p_fields);
  outcome := 'created';
  piece_id := p_id;
  -- The column's default; reading it back would be one more look-up of the key.
  begun_at := date_trunc('milliseconds', now());
  profile_slug := app.profile_slug(p_writer);
  warnings := p_warnings;
  if p_idempotency_key is not null then
    insert into app.idempotency (writer_id, key, body_hash, piece_id, begun_at, profile_slug, warnings)
    values (p_writer, p_idempotency_key, p_body_hash, piece_id, begun_at, profile_slug, warnings);
  end if;
end
$$;

revoke all on function app.profile_slug(uuid),
  app.create_draft(bytea, uuid, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean)
  from public;
grant execute on function app.profile_slug(uuid),
  app.create_draft(bytea, uuid, uuid, text, text, text, text, text[], text, text, text, jsonb, text, bytea, json, boolean)
  to svc_api;

-- Writers whose keys drafted something since they were last told, once an hour at most; marks them as told. Begins with
-- the keys, which are few, and notes of their use: no index of drafts is kept for it.
create function app.writers_to_tell() returns table (account_id uuid, drafts bigint)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with busy as (
      select distinct w.id as writer_id, w.account_id,
             greatest(coalesce(a.drafts_told_at, '-infinity'), now() - interval '1 day') as since
        from app.api_keys k join app.writers w on w.id = k.writer_id join app.accounts a on a.id = w.account_id
       where k.last_used_at > now() - interval '1 day 2 minutes'
         and a.drafts_letter and a.disabled_at is null and a.email_verified_at is not null
         and (a.drafts_told_at is null or a.drafts_told_at <= now() - interval '1 hour')
    ), begun as (
      select busy.account_id, app.pieces_begun(busy.writer_id, true, busy.since) as drafts from busy
    )
    update app.accounts a set drafts_told_at = clock_timestamp()
      from begun where a.id = begun.account_id and begun.drafts > 0
    returning a.id, begun.drafts
  $$;

-- Throws away what has served its time, 5,000 rows at most, so that no statement runs long; says how many.
create function app.sweep_drafts() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.idempotency i
   where i.ctid = any (array(select o.ctid from app.idempotency o
                              where o.created_at <= now() - interval '24 hours' limit 5000));
  get diagnostics swept = row_count;
  return swept;
end
$$;

revoke all on function app.writers_to_tell(), app.sweep_drafts() from public;
grant execute on function app.writers_to_tell(), app.sweep_drafts() to svc_worker;

grant create on schema app to svc_publisher;
grant execute on function app.key_writer() to svc_publisher;
set local role svc_publisher;

-- The body of one's own draft. A key never reads the body of a piece that is past being one.
create function app.draft_body(p_piece uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select p.body_md from app.pieces p
           where p.id = p_piece and p.editor_status = 'draft' and p.writer_id = app.key_writer());
end
$$;
revoke all on function app.draft_body(uuid) from public;
grant execute on function app.draft_body(uuid) to svc_api;

set local role svc_owner;
revoke create on schema app from svc_publisher;
