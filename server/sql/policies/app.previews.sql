set local role svc_owner;

revoke all on app.previews from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert, update (last_seen_at), delete on app.previews to svc_publisher;
