set local role svc_owner;

revoke all on pub.piece_co_authors from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.piece_co_authors to svc_public, svc_desk, svc_worker;
grant select, insert, update, delete on pub.piece_co_authors to svc_publisher;
