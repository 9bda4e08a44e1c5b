set local role svc_owner;

revoke all on pub.authors from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.authors to svc_public, svc_desk, svc_worker;
grant select, insert, update, delete on pub.authors to svc_publisher;
