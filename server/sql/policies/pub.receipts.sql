set local role svc_owner;

revoke all on pub.receipts from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.receipts to svc_public;
grant select, insert, update, delete on pub.receipts to svc_publisher;
