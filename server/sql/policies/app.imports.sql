set local role svc_owner;

revoke all on app.imports from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select (piece_id, writer_id, service, original_at, imported_at, notes, confirmed_at, session_id, revision, published_at)
  on app.imports to svc_desk;
grant select, insert, update on app.imports to svc_publisher;

alter table app.imports enable row level security;

drop policy if exists publisher_acts on app.imports;
create policy publisher_acts on app.imports to svc_publisher using (true) with check (true);

drop policy if exists desk_reads_own on app.imports;
create policy desk_reads_own on app.imports for select to svc_desk
  using (writer_id = (select app.session_writer()));
