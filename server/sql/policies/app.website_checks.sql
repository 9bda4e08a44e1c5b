set local role svc_owner;

revoke all on app.website_checks from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.website_checks to svc_desk;
grant select, insert, update, delete on app.website_checks to svc_publisher;

alter table app.website_checks enable row level security;

drop policy if exists desk_reads_own on app.website_checks;
create policy desk_reads_own on app.website_checks for select to svc_desk
  using (writer_id = (select app.session_writer()));

drop policy if exists publisher_acts on app.website_checks;
create policy publisher_acts on app.website_checks to svc_publisher using (true) with check (true);
