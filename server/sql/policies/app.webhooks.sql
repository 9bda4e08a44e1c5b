set local role svc_owner;

revoke all on app.webhooks from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Not the secrets: nobody needs them at the desk.
grant select (writer_id, url, state, disabled_for, secret_hint, secret_made_at, former_until, created_at,
    url_given_at, live_since, proven_at, owner_proven_at, failures, rests_until, failing_since)
  on app.webhooks to svc_desk;
grant select, insert, update, delete on app.webhooks to svc_publisher;

alter table app.webhooks enable row level security;

drop policy if exists desk_reads_own on app.webhooks;
create policy desk_reads_own on app.webhooks for select to svc_desk using (writer_id = (select app.session_writer()));

drop policy if exists publisher_acts on app.webhooks;
create policy publisher_acts on app.webhooks to svc_publisher using (true) with check (true);
