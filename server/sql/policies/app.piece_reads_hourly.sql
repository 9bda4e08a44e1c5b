set local role svc_owner;

revoke all on app.piece_reads_hourly from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.piece_reads_hourly to svc_publisher;
