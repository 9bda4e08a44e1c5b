set local role svc_owner;

revoke all on app.former_slugs from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.former_slugs to svc_desk;
grant select, insert, update, delete on app.former_slugs to svc_publisher;
