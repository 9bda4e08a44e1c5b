-- History that fits. Every save of the last day is a row of app.recent_revisions. The worker then keeps the last of each ten
-- minutes of one hand, and whatever was acted on, named or saved by a key; what is kept lies many to a row in
-- app.packed_revisions, where lz4 finds what they have in common. Readers ask app.past_revisions, which is both.
--
-- Lock: ACCESS EXCLUSIVE on app.past_revisions and SHARE ROW EXCLUSIVE on app.pieces for an instant.

-- step: once
set local role svc_owner;

alter table app.past_revisions rename to recent_revisions;
alter index app.past_revisions_pkey rename to recent_revisions_pkey;
alter index app.past_revisions_saved_at_desk rename to recent_revisions_saved_at_desk;
alter index app.past_revisions_by_key rename to recent_revisions_by_key;

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

create or replace view app.revisions with (security_invoker) as
  select piece_id, revision, writer_id, saved_at, account_id, key_id,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.past_revisions
  union all
  select id, revision, writer_id, updated_at, saved_by_account, saved_by_key,
         headline, sub, body_md, category, tags, frame, style, locale, fields
    from app.pieces
   where coalesce(saved_by_account, saved_by_key) is not null;

create or replace function app.keep_revision() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if coalesce(old.saved_by_account, old.saved_by_key) is not null then
    insert into app.recent_revisions (piece_id, revision, writer_id, saved_at, account_id, key_id,
                                      headline, sub, body_md, category, tags, frame, style, locale, fields)
    values (old.id, old.revision, old.writer_id, old.updated_at, old.saved_by_account, old.saved_by_key,
            old.headline, old.sub, old.body_md, old.category, old.tags, old.frame, old.style, old.locale, old.fields);
  end if;
  return null;
end
$$;

-- As before, but counts in the table that has every save of the last day and an index for it.
create or replace function app.saver(p_writer uuid, out key_id uuid, out account_id uuid)
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
    -- The site itself, filling or mending its tables.
    return;
  end if;
  if (select count(*) from app.recent_revisions r
       where r.writer_id = p_writer and r.account_id is not null and r.saved_at > now() - interval '1 day')
     + app.pieces_begun(p_writer, false, now() - interval '1 day') >= 10000 then
    raise exception 'You have saved 10,000 times within a day, which is the most. Keep this page open and save again in an hour.'
      using errcode = 'SF419';
  end if;
end
$$;

-- History is the writer's alone.
alter table app.packed_revisions enable row level security;
create policy desk_reads_own on app.packed_revisions for select to svc_desk
  using (writer_id = (select app.session_writer()));
create policy publisher_packs on app.packed_revisions to svc_publisher using (true) with check (true);
create policy publisher_packs on app.recent_revisions to svc_publisher using (true);
alter table app.revision_names enable row level security;
create policy desk_names_own on app.revision_names to svc_desk
  using (writer_id = (select app.session_writer()))
  with check (writer_id = (select app.session_writer())
              and exists (select from app.pieces p where p.id = piece_id and p.writer_id = revision_names.writer_id));
create policy publisher_reads on app.revision_names for select to svc_publisher using (true);
grant select on app.past_revisions, app.packed_revisions to svc_desk, svc_publisher;
grant select, insert, delete, update (name) on app.revision_names to svc_desk;
grant select on app.revision_names to svc_publisher;
grant insert, update (bytes, saves) on app.packed_revisions to svc_publisher;
grant delete on app.recent_revisions to svc_publisher;

-- Owned by the publisher, as whatever reads the pieces of everybody is.
grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Packs up to `p_limit` saves that are older than a day, or drops them; says how many. One transaction packs at a time. A
-- name is given under the same lock, so none is lost.
create function app.pack_history(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  before  timestamptz := now() - interval '1 day';
  piece   uuid;
  old     app.recent_revisions;
  row_now app.packed_revisions;
  packed  integer := 0;
begin
  perform pg_advisory_xact_lock(7305342);
  while packed < p_limit loop
    select r.piece_id into piece from app.recent_revisions r where r.saved_at < before order by r.saved_at limit 1;
    exit when not found;
    select p.* into row_now from app.packed_revisions p where p.piece_id = piece order by p.first_revision desc limit 1;
    for old in
      select r.* from app.recent_revisions r where r.piece_id = piece and r.saved_at < before
       order by r.revision limit p_limit - packed
    loop
      if app.is_kept(old) then
        if row_now.bytes + octet_length(old.body_md) > 250000 then
          perform app.write_packed(row_now);
          row_now := null;
        end if;
        row_now := (piece, coalesce(row_now.first_revision, old.revision), old.writer_id,
                     coalesce(row_now.bytes, 0) + octet_length(old.body_md),
                     coalesce(row_now.saves, '[]') || to_jsonb(old));
      end if;
      delete from app.recent_revisions r where r.piece_id = old.piece_id and r.revision = old.revision;
      packed := packed + 1;
    end loop;
    if row_now.piece_id is not null then
      perform app.write_packed(row_now);
    end if;
  end loop;
  return packed;
end
$$;

create function app.write_packed(p_row app.packed_revisions) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.packed_revisions select p_row.*
    on conflict (piece_id, first_revision) do update set bytes = excluded.bytes, saves = excluded.saves;
end
$$;

-- For good: what was published, submitted or decided about, what its writer named or shows by a link, what a key saved.
-- Else the last of each ten minutes of one hand.
create function app.is_kept(p_old app.recent_revisions) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return p_old.key_id is not null
    or exists (select from app.audit a where a.piece_id = p_old.piece_id and a.revision = p_old.revision)
    or exists (select from app.revision_names n where n.piece_id = p_old.piece_id and n.revision = p_old.revision)
    or exists (select from app.previews v where v.piece_id = p_old.piece_id and v.revision = p_old.revision)
    or not exists (
         select from (
           select r.revision, r.account_id, r.saved_at from app.recent_revisions r
            where r.piece_id = p_old.piece_id and r.revision > p_old.revision
           union all
           select p.revision, p.saved_by_account, p.updated_at from app.pieces p where p.id = p_old.piece_id
           order by revision limit 1) next
          where next.account_id = p_old.account_id
            and date_bin('10 minutes', next.saved_at, 'epoch') = date_bin('10 minutes', p_old.saved_at, 'epoch'));
end
$$;

revoke all on function app.write_packed(app.packed_revisions), app.is_kept(app.recent_revisions),
  app.pack_history(integer) from public;
grant execute on function app.pack_history(integer) to svc_worker;
set local role svc_owner;
revoke create on schema app from svc_publisher;

-- Names a revision of a piece of one's own, or with null takes the name away. False where there is no such revision.
create function app.name_revision(p_piece uuid, p_revision integer, p_name text) returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  -- Not while the worker decides what is kept.
  perform pg_advisory_xact_lock_shared(7305342);
  if not exists (select from app.revisions r where r.piece_id = p_piece and r.revision = p_revision) then
    return false;
  end if;
  if p_name is null then
    delete from app.revision_names n where n.piece_id = p_piece and n.revision = p_revision;
  else
    insert into app.revision_names (piece_id, revision, writer_id, name)
    values (p_piece, p_revision, app.session_writer(), p_name)
    on conflict (piece_id, revision) do update set name = excluded.name;
  end if;
  return true;
end
$$;
revoke all on function app.name_revision(uuid, integer, text) from public;
grant execute on function app.name_revision(uuid, integer, text) to svc_desk;

-- step: alone
-- Which saves are older than a day.
create index concurrently if not exists recent_revisions_by_age on app.recent_revisions (saved_at);
