set local role svc_owner;

revoke all on pub.media from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.media to svc_public;
grant select, insert, delete on pub.media to svc_publisher;
