set local role svc_owner;

revoke all on app.delivery_attempts from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.delivery_attempts to svc_desk;
grant select, insert, update, delete on app.delivery_attempts to svc_publisher;

alter table app.delivery_attempts enable row level security;

drop policy if exists desk_reads_own on app.delivery_attempts;
create policy desk_reads_own on app.delivery_attempts for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_acts on app.delivery_attempts;
create policy publisher_acts on app.delivery_attempts to svc_publisher using (true) with check (true);
