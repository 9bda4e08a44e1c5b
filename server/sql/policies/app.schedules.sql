set local role svc_owner;

revoke all on app.schedules from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Not the rendering: the desk shows the piece itself.
grant select (piece_id, writer_id, revision, publish_at, consented_at, voided_at, void_reason) on app.schedules to svc_desk;
grant select, insert, update, delete on app.schedules to svc_publisher;

alter table app.schedules enable row level security;

drop policy if exists publisher_acts on app.schedules;
create policy publisher_acts on app.schedules to svc_publisher using (true) with check (true);

drop policy if exists desk_reads_own on app.schedules;
create policy desk_reads_own on app.schedules for select to svc_desk
  using (writer_id = (select app.session_writer()));
