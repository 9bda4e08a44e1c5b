set local role svc_owner;

revoke all on app.writer_audit from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update (note) on app.writer_audit to svc_publisher;
