set local role svc_owner;

revoke all on search.trees from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on search.trees to svc_public;
grant select, insert, update, delete on search.trees to svc_worker;
