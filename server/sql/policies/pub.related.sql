set local role svc_owner;

revoke all on pub.related from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- The desk shows what a preview would be followed by.
grant select (piece_id, related) on pub.related to svc_public, svc_desk;
grant select on pub.related to svc_worker;
grant select, insert, update, delete on pub.related to svc_publisher;
