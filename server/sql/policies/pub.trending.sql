set local role svc_owner;

revoke all on pub.trending from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.trending to svc_public, svc_desk, svc_worker;
grant select, insert, delete on pub.trending to svc_publisher;
