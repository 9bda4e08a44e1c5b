set local role svc_owner;

revoke all on app.pieces from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- A key: drafts, by column. No right on status, slug, dates or revision, and bodies only through app.draft_body.
grant select (id, writer_id, editor_status, headline, sub, category, tags, frame, style, locale, fields, revision,
    created_at, updated_at, begun_by_key),
  insert (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields),
  update (headline, sub, body_md, category, tags, frame, style, locale, fields)
  on app.pieces to svc_api;
-- The desk: the working copy of one's own pieces. Status only through functions.
grant select,
  insert (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields),
  update (headline, sub, body_md, category, tags, frame, style, locale, fields)
  on app.pieces to svc_desk;
grant select, insert, update, delete on app.pieces to svc_publisher;

alter table app.pieces enable row level security, force row level security;

drop policy if exists publisher_acts on app.pieces;
create policy publisher_acts on app.pieces to svc_publisher using (true) with check (true);

drop policy if exists key_reads_own on app.pieces;
create policy key_reads_own on app.pieces for select to svc_api
  using (writer_id = (select app.key_writer()) and deleted_at is null and (select app.key_may('pieces:write')));

drop policy if exists key_drafts on app.pieces;
create policy key_drafts on app.pieces for insert to svc_api
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft' and app.key_may('pieces:write'));

drop policy if exists key_edits_drafts on app.pieces;
create policy key_edits_drafts on app.pieces for update to svc_api
  using (writer_id = (select app.key_writer()) and editor_status = 'draft' and deleted_at is null
         and app.key_may('drafts:edit', begun_by_key))
  with check (writer_id = (select app.key_writer()) and editor_status = 'draft');

drop policy if exists desk_reads_own on app.pieces;
create policy desk_reads_own on app.pieces for select to svc_desk
  using (writer_id = (select app.session_writer()) and deleted_at is null);

drop policy if exists desk_reviews on app.pieces;
create policy desk_reviews on app.pieces for select to svc_desk
  using (editor_status = 'pending' and (select app.session_moderates()));

drop policy if exists desk_drafts on app.pieces;
create policy desk_drafts on app.pieces for insert to svc_desk
  with check (writer_id = (select app.session_writer()) and editor_status = 'draft');

-- Not while a moderator is reading it, nor after it was refused: Withdraw or Revise comes first.
drop policy if exists desk_edits_own on app.pieces;
create policy desk_edits_own on app.pieces for update to svc_desk
  using (writer_id = (select app.session_writer()) and editor_status in ('draft', 'approved', 'changes_requested')
         and deleted_at is null)
  with check (writer_id = (select app.session_writer()));
