set local role svc_owner;

revoke all on app.idempotency from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select,
  insert (writer_id, key, body_hash, piece_id, begun_at, profile_slug, warnings),
  delete
  on app.idempotency to svc_api;

alter table app.idempotency enable row level security;

drop policy if exists key_reads_own on app.idempotency;
create policy key_reads_own on app.idempotency for select to svc_api
  using (writer_id = (select app.key_writer()));

drop policy if exists key_adds_own on app.idempotency;
create policy key_adds_own on app.idempotency for insert to svc_api
  with check (writer_id = (select app.key_writer()));

drop policy if exists key_forgets_old on app.idempotency;
create policy key_forgets_old on app.idempotency for delete to svc_api
  using (writer_id = (select app.key_writer()) and created_at <= now() - interval :'idempotency_retention');
