set local role svc_owner;

revoke all on app.decisions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update on app.decisions to svc_publisher;
