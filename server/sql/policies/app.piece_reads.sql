set local role svc_owner;

revoke all on app.piece_reads from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.piece_reads to svc_desk;

alter table app.piece_reads enable row level security;

drop policy if exists desk_reads_own on app.piece_reads;
create policy desk_reads_own on app.piece_reads for select to svc_desk
  using (author_id = (select app.session_writer()));
