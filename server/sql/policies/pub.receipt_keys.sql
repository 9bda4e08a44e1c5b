set local role svc_owner;

revoke all on pub.receipt_keys from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.receipt_keys to svc_public;
grant select, insert on pub.receipt_keys to svc_publisher;
