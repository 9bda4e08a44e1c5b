set local role svc_owner;

revoke all on app.retired_slugs from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert on app.retired_slugs to svc_publisher;
