set local role svc_owner;

revoke all on app.series from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Changed only through functions.
grant select on app.series to svc_desk;
grant select, insert, update, delete on app.series to svc_publisher;

alter table app.series enable row level security, force row level security;

drop policy if exists publisher_acts on app.series;
create policy publisher_acts on app.series to svc_publisher using (true) with check (true);

drop policy if exists desk_reads_own on app.series;
create policy desk_reads_own on app.series for select to svc_desk
  using (writer_id = (select app.session_writer()));
