set local role svc_owner;

revoke all on app.audit from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.audit to svc_desk;
grant select, insert, update (note) on app.audit to svc_publisher;

alter table app.audit enable row level security;

drop policy if exists desk_reads_own on app.audit;
create policy desk_reads_own on app.audit for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_adds on app.audit;
create policy publisher_adds on app.audit for insert to svc_publisher with check (true);

-- That there were reports is no news for the piece's writer.
drop policy if exists reports_are_private on app.audit;
create policy reports_are_private on app.audit as restrictive for select to svc_desk using (act <> 'dismiss_reports');

drop policy if exists publisher_reads on app.audit;
create policy publisher_reads on app.audit for select to svc_publisher using (true);

drop policy if exists publisher_erases on app.audit;
create policy publisher_erases on app.audit for update to svc_publisher using (true) with check (note is null);
