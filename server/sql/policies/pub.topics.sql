set local role svc_owner;

revoke all on pub.topics from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.topics to svc_public, svc_desk, svc_worker;
grant select, insert, delete on pub.topics to svc_publisher;
