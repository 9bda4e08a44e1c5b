set local role svc_owner;

revoke all on pub.series_pieces from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
-- The desk reads a piece as readers get it when it publishes.
grant select on pub.series_pieces to svc_public, svc_desk, svc_worker;
grant select, insert, update, delete on pub.series_pieces to svc_publisher;
