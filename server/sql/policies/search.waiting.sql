set local role svc_owner;

revoke all on search.waiting from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on search.waiting to svc_public;
grant select, insert, update, delete on search.waiting to svc_worker;
