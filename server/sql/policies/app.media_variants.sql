set local role svc_owner;

revoke all on app.media_variants from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
