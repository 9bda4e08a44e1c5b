set local role svc_owner;

revoke all on app.publish_nonces from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select,
  insert (nonce_hash, piece_id, revision, session_id, expires_at),
  update (used_at),
  delete
  on app.publish_nonces to svc_publisher;
