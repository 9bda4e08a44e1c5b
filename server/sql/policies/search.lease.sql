set local role svc_owner;

revoke all on search.lease from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update on search.lease to svc_worker;
