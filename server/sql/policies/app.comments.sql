set local role svc_owner;

-- Who may read and write which comments is in the functions: what the desk sees depends on the state of the piece.
revoke all on app.comments from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, delete, update (resolved_at, outcome, notified_at) on app.comments to svc_publisher;

alter table app.comments enable row level security;

drop policy if exists publisher_acts on app.comments;
create policy publisher_acts on app.comments to svc_publisher using (true) with check (true);
