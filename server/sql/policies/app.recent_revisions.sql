set local role svc_owner;

revoke all on app.recent_revisions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.recent_revisions to svc_desk;
grant select, delete on app.recent_revisions to svc_publisher;

alter table app.recent_revisions enable row level security;

drop policy if exists publisher_packs on app.recent_revisions;
create policy publisher_packs on app.recent_revisions to svc_publisher using (true);

drop policy if exists desk_reads_own on app.recent_revisions;
create policy desk_reads_own on app.recent_revisions for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_previews on app.recent_revisions;
create policy publisher_previews on app.recent_revisions for select to svc_publisher using (true);

drop policy if exists publisher_reads on app.recent_revisions;
create policy publisher_reads on app.recent_revisions for select to svc_publisher using (true);
