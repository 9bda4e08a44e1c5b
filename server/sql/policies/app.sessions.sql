set local role svc_owner;

revoke all on app.sessions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.sessions to svc_publisher;
