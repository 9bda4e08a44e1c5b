set local role svc_owner;

revoke all on search.pages from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on search.pages to svc_public;
grant select, insert, update, delete on search.pages to svc_worker;
