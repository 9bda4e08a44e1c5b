set local role svc_owner;

revoke all on app.front_page_saves from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select, insert on app.front_page_saves to svc_publisher;
