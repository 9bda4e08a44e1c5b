set local role svc_owner;

revoke all on app.piece_reads_daily from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.piece_reads_daily to svc_desk;

alter table app.piece_reads_daily enable row level security;

drop policy if exists desk_reads_own on app.piece_reads_daily;
create policy desk_reads_own on app.piece_reads_daily for select to svc_desk
  using (author_id = (select app.session_writer()));
