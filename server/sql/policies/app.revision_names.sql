set local role svc_owner;

revoke all on app.revision_names from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update (name), delete on app.revision_names to svc_desk;
grant select on app.revision_names to svc_publisher;

alter table app.revision_names enable row level security;

drop policy if exists desk_names_own on app.revision_names;
create policy desk_names_own on app.revision_names to svc_desk
  using (writer_id = (select app.session_writer()))
  with check (writer_id = (select app.session_writer())
              and exists (select from app.pieces p where p.id = piece_id and p.writer_id = revision_names.writer_id));

drop policy if exists publisher_reads on app.revision_names;
create policy publisher_reads on app.revision_names for select to svc_publisher using (true);
