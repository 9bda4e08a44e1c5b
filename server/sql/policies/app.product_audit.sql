set local role svc_owner;

revoke all on app.product_audit from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.product_audit to svc_desk;
grant select, insert, update (note) on app.product_audit to svc_publisher;

alter table app.product_audit enable row level security;

drop policy if exists desk_reads_own on app.product_audit;
create policy desk_reads_own on app.product_audit for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_adds on app.product_audit;
create policy publisher_adds on app.product_audit to svc_publisher using (true) with check (true);

drop policy if exists reports_are_private on app.product_audit;
create policy reports_are_private on app.product_audit as restrictive for select to svc_desk
  using (act <> 'dismiss_reports');
