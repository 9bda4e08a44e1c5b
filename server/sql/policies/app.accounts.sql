set local role svc_owner;

revoke all on app.accounts from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- Publishing asks who is barred and who moderates, emails about comments who wants them, and nothing about passwords.
grant select (id, role, disabled_at, delete_at, comment_emails) on app.accounts to svc_publisher;
