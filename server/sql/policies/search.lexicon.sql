set local role svc_owner;

revoke all on search.lexicon from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on search.lexicon to svc_public;
grant select, insert, delete on search.lexicon to svc_worker;
