set local role svc_owner;

revoke all on app.suspensions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, delete on app.suspensions to svc_publisher;
