set local role svc_owner;

revoke all on pub.front_page_pins from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.front_page_pins to svc_public, svc_desk;
-- Updates none, but locks them.
grant select, insert, update, delete on pub.front_page_pins to svc_publisher;
