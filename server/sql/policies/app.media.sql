set local role svc_owner;

revoke all on app.media from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update (created_at) on app.media to svc_publisher;
