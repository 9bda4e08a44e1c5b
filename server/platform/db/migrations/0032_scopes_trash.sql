-- Keys that cannot destroy: a key reaches the drafts it made, more only by scope; and what is deleted can be restored.
--
-- pieces:write lists a writer's pieces, makes drafts, and reads, changes and deletes those this very key made.
-- drafts:read, drafts:edit (which includes reading) and drafts:delete reach all drafts of the writer. Row security and
-- the functions below ask the key itself, so what the application thinks of it does not matter.
-- Deleting a draft, by key or by person, puts it in its writer's trash for 30 days. It is then hidden from everything but
-- the functions that list, restore and delete for good, which demand a live session of its writer. Each of these acts is a
-- row of app.audit that says by which key or in which session.
-- Errors: SF401 no live session, SF403 not this key's to delete, SF404 not in the writer's trash.
--
-- Lock: ACCESS EXCLUSIVE on app.pieces, app.api_keys and app.audit for an instant; SHARE on app.pieces while the index of
-- the trash is built.

set local role svc_owner;

alter table app.api_keys
  drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check
    check (scopes <@ array['pieces:write', 'drafts:read', 'drafts:edit', 'drafts:delete']);

alter table app.audit add column key_id uuid;

alter table app.pieces
  add column deleted_at timestamptz,
  -- So no act can make a deleted piece public, whatever else it forgets.
  add constraint pieces_trash_check check (deleted_at is null or editor_status = 'draft') not valid;
create index pieces_in_trash on app.pieces (deleted_at) where deleted_at is not null;
create index pieces_in_trash_of_writer on app.pieces (writer_id, deleted_at desc, id desc) where deleted_at is not null;

-- Whether the key at work has this scope, or made the draft itself. Without pieces:write it may nothing.
create function app.key_may(p_scope text, p_begun_by uuid default null) returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
begin
  return coalesce('pieces:write' = any (live.scopes) and (
    p_scope = any (live.scopes)
    or p_scope = 'drafts:read' and 'drafts:edit' = any (live.scopes)
    or live.id = p_begun_by), false);
end
$$;

-- Who is at work: a key, or a person in a session.
create function app.actor(out writer_id uuid, out key_id uuid, out account_id uuid, out session_id uuid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  key     app.api_keys := app.live_key(app.acting_hash('app.key_hash'));
  session app.sessions;
begin
  if key.id is not null then
    writer_id := key.writer_id;
    key_id := key.id;
    return;
  end if;
  session := app.acting_session();
  account_id := session.account_id;
  session_id := session.id;
  writer_id := app.session_writer();
end
$$;
revoke all on function app.key_may(text, uuid), app.actor() from public;
grant execute on function app.key_may(text, uuid) to svc_api, svc_publisher;
grant execute on function app.actor() to svc_publisher;

alter policy key_reads_own on app.pieces
  using (writer_id = (select app.key_writer()) and deleted_at is null and (select app.key_may('pieces:write')));
alter policy key_drafts on app.pieces
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft' and app.key_may('pieces:write'));
alter policy key_edits_drafts on app.pieces
  using (writer_id = (select app.key_writer()) and editor_status = 'draft' and deleted_at is null
         and app.key_may('drafts:edit', begun_by_key))
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft');
alter policy desk_reads_own on app.pieces
  using (writer_id = (select app.session_writer()) and deleted_at is null);
alter policy desk_edits_own on app.pieces
  using (writer_id = (select app.session_writer()) and editor_status in ('draft', 'approved', 'changes_requested')
         and deleted_at is null);
-- Deleting is app.delete_piece, for keys and people alike.
drop policy key_deletes_drafts on app.pieces;
drop policy desk_deletes_drafts on app.pieces;
revoke delete on app.pieces from svc_api, svc_desk;
grant select (begun_by_key) on app.pieces to svc_api;

grant create on schema app to svc_publisher;
set local role svc_publisher;

-- As in 0010, and nothing where it lies in the trash.
create or replace function app.locked_piece(p_piece uuid) returns app.pieces
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_piece app.pieces;
begin
  select p.* into found_piece from app.pieces p where p.id = p_piece and p.deleted_at is null for update;
  if found then
    perform app.lock_writer(found_piece.writer_id);
  end if;
  return found_piece;
end
$$;

-- As in 0010.
create or replace function app.status_for_review(p_piece uuid, p_session_hash bytea) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return (select p.editor_status from app.pieces p
           where p.id = p_piece and p.deleted_at is null and app.moderates(session));
end
$$;

-- As in 0014.
create or replace function app.preview_links(p_piece uuid, p_session_hash bytea) returns setof app.previews
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.deleted_at is null;
  perform app.writer_session(piece, p_session_hash);
  return query
    select v.* from app.previews v
     where v.piece_id = p_piece and v.revision is null and v.expires_at > clock_timestamp()
     order by v.created_at desc, v.id;
end
$$;

-- As in 0013; pictures of what is in the trash are kept with it.
create or replace function app.add_media(p_session_hash bytea, p_piece uuid, p_hash text, p_type text, p_width integer,
                                         p_height integer, p_bytes integer) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.media_writer(p_session_hash);
begin
  if p_piece is not null and not exists (
       select from app.pieces p where p.id = p_piece and p.writer_id = writer and p.deleted_at is null) then
    raise exception 'You have no such piece. The list of your pieces shows those you have.' using errcode = 'SF404';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_hash, 6));
  update app.media m set created_at = date_trunc('milliseconds', clock_timestamp())
   where m.writer_id = writer and m.hash = p_hash;
  if found then
    return;
  end if;
  if (select coalesce(sum(m.bytes), 0) from app.media m where m.writer_id = writer) + p_bytes > 524288000 then
    raise exception 'Your pictures fill 500 MB, which is the most. Delete drafts you no longer need and empty the trash: their pictures go within seven days.'
      using errcode = 'SF419';
  end if;
  insert into app.media (hash, writer_id, type, width, height, bytes)
  values (p_hash, writer, p_type, p_width, p_height, p_bytes);
end
$$;

-- The body of a draft that is the key's to read. A key never reads the body of a piece that is past being one.
create or replace function app.draft_body(p_piece uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select p.body_md from app.pieces p
           where p.id = p_piece and p.editor_status = 'draft' and p.deleted_at is null
             and p.writer_id = app.key_writer() and app.key_may('drafts:read', p.begun_by_key));
end
$$;

-- No page or link of what was deleted meanwhile. The row of the piece is locked by whoever deletes it.
create function app.refuse_trashed() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.pieces p where p.id = new.piece_id and p.deleted_at is not null) then
    raise exception 'There is no such piece to look at. The list shows those there are.' using errcode = 'SF404';
  end if;
  return new;
end
$$;

-- Every act on the trash ends here. The status stays what it was; the act says what happened.
create function app.note_deletion(p_act text, p_piece app.pieces, p_key uuid, p_account uuid, p_session uuid)
  returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.audit (act, piece_id, writer_id, account_id, session_id, key_id, revision, from_status, to_status)
    values (p_act, p_piece.id, p_piece.writer_id, p_account, p_session, p_key, p_piece.revision,
            p_piece.editor_status, p_piece.editor_status)
  $$;

-- What keys made is counted to tell its writer of; nobody is told to read what is in the trash.
create or replace function app.pieces_begun(p_writer uuid, p_by_key boolean, p_since timestamptz) returns bigint
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select count(*) from app.pieces p
           where p.writer_id = p_writer and p.created_at > p_since
             and case when p_by_key then p.begun_by_key is not null and p.deleted_at is null
                      else p.begun_by_key is null and p.saved_by_account is not null end);
end
$$;

-- A draft into the trash, by whoever is at work. Its preview links end. Answers with its revision; with null where there
-- is no such draft of theirs.
create function app.delete_piece(p_piece uuid) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces := app.locked_piece(p_piece);
  actor record := app.actor();
begin
  if actor.writer_id is null or piece.writer_id is distinct from actor.writer_id or piece.editor_status <> 'draft' then
    return null;
  end if;
  if actor.key_id is not null and not app.key_may('drafts:delete', piece.begun_by_key) then
    raise exception 'This key deletes only drafts it made.' using errcode = 'SF403';
  end if;
  update app.pieces set deleted_at = date_trunc('milliseconds', clock_timestamp()) where id = piece.id;
  delete from app.previews where piece_id = piece.id;
  perform app.note_deletion('delete', piece, actor.key_id, actor.account_id, actor.session_id);
  -- The update may have waited; a key or session that ended meanwhile deletes nothing.
  if app.actor() is distinct from actor then
    raise insufficient_privilege using message = 'the key or session ended a moment ago';
  end if;
  return piece.revision;
end
$$;

-- A page of the trash, the last deleted first: what is after this time and id.
create function app.trash_of(p_session_hash bytea, p_time timestamptz, p_id uuid, p_limit integer)
  returns setof app.pieces
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select p.* from app.pieces p
     where p.writer_id = (select w.id from app.writers w where w.account_id = session.account_id)
       and p.deleted_at is not null and (p.deleted_at, p.id) < (p_time, p_id)
     order by p.deleted_at desc, p.id desc limit p_limit;
end
$$;

create function app.restore_piece(p_session_hash bytea, p_piece uuid) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece   app.pieces;
  session app.sessions;
begin
  select p.* into piece from app.pieces p where p.id = p_piece and p.deleted_at is not null for update;
  session := app.signed_in(p_session_hash);
  if not exists (select from app.writers w where w.id = piece.writer_id and w.account_id = session.account_id) then
    raise exception 'This piece is not in your trash. Reload the trash to see what is.' using errcode = 'SF404';
  end if;
  update app.pieces set deleted_at = null where id = piece.id;
  perform app.note_deletion('restore', piece, null, session.account_id, session.id);
end
$$;

-- For good: one piece of the trash, or as many as `p_limit` where none is named. Answers how many there were.
create function app.empty_trash(p_session_hash bytea, p_piece uuid, p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
  piece   app.pieces;
  emptied integer := 0;
begin
  for piece in
    select p.* from app.pieces p join app.writers w on w.id = p.writer_id
     where w.account_id = session.account_id and p.deleted_at is not null and (p_piece is null or p.id = p_piece)
     limit p_limit for update of p
  loop
    delete from app.pieces where id = piece.id;
    perform app.note_deletion('delete_for_good', piece, null, session.account_id, session.id);
    emptied := emptied + 1;
  end loop;
  if p_piece is not null and emptied = 0 then
    raise exception 'This piece is not in your trash. Reload the trash to see what is.' using errcode = 'SF404';
  end if;
  return emptied;
end
$$;

-- What has been in the trash for 30 days, `p_limit` at most; says how many.
create function app.sweep_trash(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  piece app.pieces;
  swept integer := 0;
begin
  for piece in
    select p.* from app.pieces p where p.deleted_at < now() - interval '30 days'
     order by p.deleted_at limit p_limit for update skip locked
  loop
    delete from app.pieces where id = piece.id;
    perform app.note_deletion('delete_for_good', piece, null, null, null);
    swept := swept + 1;
  end loop;
  return swept;
end
$$;

revoke all on function app.refuse_trashed(), app.note_deletion(text, app.pieces, uuid, uuid, uuid),
  app.delete_piece(uuid), app.trash_of(bytea, timestamptz, uuid, integer), app.restore_piece(bytea, uuid),
  app.empty_trash(bytea, uuid, integer), app.sweep_trash(integer) from public;
grant execute on function app.delete_piece(uuid) to svc_api, svc_desk;
grant execute on function app.trash_of(bytea, timestamptz, uuid, integer), app.restore_piece(bytea, uuid),
  app.empty_trash(bytea, uuid, integer) to svc_desk;
grant execute on function app.sweep_trash(integer) to svc_worker;
grant execute on function app.refuse_trashed() to svc_owner;

set local role svc_owner;
revoke create on schema app from svc_publisher;

create trigger refuse_trashed before insert on app.previews
  for each row execute function app.refuse_trashed();
alter table app.previews enable always trigger refuse_trashed;
