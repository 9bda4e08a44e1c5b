-- Who may do what. The promises "drafts are private" and "no API call can make content public" are kept here.
--
-- Lock: ACCESS EXCLUSIVE on each table for an instant.

set local role svc_owner;

-- Public doors read everything public, and nothing else exists for them.
grant select on all tables in schema pub to svc_public, svc_publisher;
grant insert, update, delete on all tables in schema pub to svc_publisher;

-- The writer this connection acts for, set per transaction by the door that authenticated them.
create function app.current_writer() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.writer_id', true), '')::uuid $$;

-- A key: drafts, by column. No right on status, slug, dates or revision.
grant select on app.pieces to svc_api;
grant insert (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields) on app.pieces to svc_api;
grant update (headline, sub, body_md, category, tags, frame, style, locale, fields) on app.pieces to svc_api;
grant delete on app.pieces to svc_api;

-- The desk: the working copy of any of one's own pieces. Status only through the functions below.
grant select on app.writers, app.pieces, app.former_slugs to svc_desk;
grant select (id, email, role, email_verified_at, disabled_at, created_at) on app.accounts to svc_desk;
grant insert (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields) on app.pieces to svc_desk;
grant update (headline, sub, body_md, category, tags, frame, style, locale, fields) on app.pieces to svc_desk;
grant delete on app.pieces to svc_desk;
grant select, insert (nonce_hash, piece_id, revision, session_id, expires_at) on app.publish_nonces to svc_desk;
grant select on app.audit to svc_desk;

-- What the publishing functions need, and no more.
grant select on app.accounts, app.sessions, app.writers, app.former_slugs, app.pieces, app.publish_nonces to svc_publisher;
grant insert, update on app.pieces to svc_publisher;
grant update (used_at) on app.publish_nonces to svc_publisher;
grant insert on app.audit to svc_publisher;

alter table app.pieces enable row level security, force row level security;

create policy key_reads_own on app.pieces for select to svc_api
  using (writer_id = app.current_writer());
create policy key_drafts on app.pieces for insert to svc_api
  with check (writer_id = app.current_writer() and editor_status = 'draft');
create policy key_edits_drafts on app.pieces for update to svc_api
  using (writer_id = app.current_writer() and editor_status = 'draft')
  with check (writer_id = app.current_writer() and editor_status = 'draft');
create policy key_deletes_drafts on app.pieces for delete to svc_api
  using (writer_id = app.current_writer() and editor_status = 'draft');

create policy desk_reads_own on app.pieces for select to svc_desk
  using (writer_id = app.current_writer());
create policy desk_drafts on app.pieces for insert to svc_desk
  with check (writer_id = app.current_writer() and editor_status = 'draft');
create policy desk_edits_own on app.pieces for update to svc_desk
  using (writer_id = app.current_writer())
  with check (writer_id = app.current_writer());
create policy desk_deletes_drafts on app.pieces for delete to svc_desk
  using (writer_id = app.current_writer() and editor_status = 'draft');

create policy publisher_acts on app.pieces to svc_publisher using (true) with check (true);

-- Second wall, for whoever holds more rights than the roles above, superusers included:
-- a status is moved by the publishing functions or not at all.
create function app.guard_status() returns trigger
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
  new.revision := old.revision + 1;
  new.updated_at := date_trunc('milliseconds', clock_timestamp());
  return new;
end
$$;

create trigger guard_status before insert or update on app.pieces
  for each row execute function app.guard_status();
alter table app.pieces enable always trigger guard_status;

create function app.guard_delete() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if old.editor_status = 'approved' and current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'a public piece is unpublished before it is deleted';
  end if;
  return old;
end
$$;

create trigger guard_delete before delete on app.pieces
  for each row execute function app.guard_delete();
alter table app.pieces enable always trigger guard_delete;

create function app.guard_truncate() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  raise insufficient_privilege using message = 'pieces are deleted one by one';
end
$$;

create trigger guard_truncate before truncate on app.pieces
  for each statement execute function app.guard_truncate();
alter table app.pieces enable always trigger guard_truncate;

create function app.guard_public() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if current_user <> 'svc_publisher' then
    raise insufficient_privilege using message = 'only the desk functions write the public wing';
  end if;
  return null;
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array['authors', 'former_slugs', 'pieces', 'piece_contents', 'piece_texts'] loop
    execute format('create trigger guard_public before insert or update or delete or truncate on pub.%I
                    for each statement execute function app.guard_public()', name);
    execute format('alter table pub.%I enable always trigger guard_public', name);
  end loop;
end
$$;

create function app.guard_audit() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  raise insufficient_privilege using message = 'the audit trail is only ever added to';
end
$$;

create trigger guard_audit before update or delete or truncate on app.audit
  for each statement execute function app.guard_audit();
alter table app.audit enable always trigger guard_audit;
