set local role svc_owner;

revoke all on search.changes from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update, delete on search.changes to svc_worker;
