set local role svc_owner;

revoke all on pub.pieces from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.pieces to svc_public, svc_desk;
grant select (id, author_id, category, tags, locale, published_at, headline_folded, sub_folded, translation_of) on pub.pieces to svc_worker;
grant select, insert, update, delete on pub.pieces to svc_publisher;
