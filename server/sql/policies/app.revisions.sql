set local role svc_owner;

revoke all on app.revisions from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.revisions to svc_desk;
