set local role svc_owner;

revoke all on app.deliveries from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.deliveries to svc_desk;
grant select, insert, update, delete on app.deliveries to svc_publisher;

alter table app.deliveries enable row level security;

drop policy if exists desk_reads_own on app.deliveries;
create policy desk_reads_own on app.deliveries for select to svc_desk using (writer_id = (select app.session_writer()));

drop policy if exists publisher_acts on app.deliveries;
create policy publisher_acts on app.deliveries to svc_publisher using (true) with check (true);
