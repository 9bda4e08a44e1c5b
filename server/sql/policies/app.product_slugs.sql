set local role svc_owner;

revoke all on app.product_slugs from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert on app.product_slugs to svc_publisher;
