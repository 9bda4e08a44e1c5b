set local role svc_owner;

revoke all on pub.former_slugs from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.former_slugs to svc_public, svc_desk, svc_worker;
grant select, insert, update, delete on pub.former_slugs to svc_publisher;
