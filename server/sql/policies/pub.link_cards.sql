set local role svc_owner;

revoke all on pub.link_cards from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.link_cards to svc_public;
grant select, insert, update, delete on pub.link_cards to svc_publisher;
