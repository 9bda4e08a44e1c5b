set local role svc_owner;

revoke all on app.suspended_rows from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert on app.suspended_rows to svc_publisher;
