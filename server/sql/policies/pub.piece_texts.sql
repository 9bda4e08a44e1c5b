set local role svc_owner;

revoke all on pub.piece_texts from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on pub.piece_texts to svc_public;
grant select (piece_id, published_at, body) on pub.piece_texts to svc_worker;
grant select, insert, update, delete on pub.piece_texts to svc_publisher;
