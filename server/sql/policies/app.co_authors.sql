set local role svc_owner;

revoke all on app.co_authors from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Invited and answered only through functions, which a key cannot call.
grant select on app.co_authors to svc_desk;
grant select, insert, update, delete on app.co_authors to svc_publisher;

alter table app.co_authors enable row level security, force row level security;

drop policy if exists publisher_acts on app.co_authors;
create policy publisher_acts on app.co_authors to svc_publisher using (true) with check (true);

drop policy if exists desk_reads_own on app.co_authors;
create policy desk_reads_own on app.co_authors for select to svc_desk
  using (writer_id = (select app.session_writer()) or invited_by = (select app.session_writer()));
