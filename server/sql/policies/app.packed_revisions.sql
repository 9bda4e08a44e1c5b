set local role svc_owner;

revoke all on app.packed_revisions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.packed_revisions to svc_desk;
grant select, insert, update (bytes, saves) on app.packed_revisions to svc_publisher;

alter table app.packed_revisions enable row level security;

drop policy if exists desk_reads_own on app.packed_revisions;
create policy desk_reads_own on app.packed_revisions for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_packs on app.packed_revisions;
create policy publisher_packs on app.packed_revisions to svc_publisher using (true) with check (true);
