set local role svc_owner;

revoke all on app.series_pieces from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Changed only through functions.
grant select on app.series_pieces to svc_desk;
grant select, insert, update, delete on app.series_pieces to svc_publisher;

alter table app.series_pieces enable row level security, force row level security;

drop policy if exists publisher_acts on app.series_pieces;
create policy publisher_acts on app.series_pieces to svc_publisher using (true) with check (true);

-- Those of the series that it can read.
drop policy if exists desk_reads_own on app.series_pieces;
create policy desk_reads_own on app.series_pieces for select to svc_desk
  using (exists (select from app.series s where s.id = series_id));
