set local role svc_owner;

revoke all on app.translation_requests from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Asked and answered only through functions.
grant select on app.translation_requests to svc_desk;
grant select, insert, update, delete on app.translation_requests to svc_publisher;

alter table app.translation_requests enable row level security, force row level security;

drop policy if exists publisher_acts on app.translation_requests;
create policy publisher_acts on app.translation_requests to svc_publisher using (true) with check (true);

drop policy if exists desk_reads_own on app.translation_requests;
create policy desk_reads_own on app.translation_requests for select to svc_desk
  using (translator_id = (select app.session_writer()) or author_id = (select app.session_writer()));
