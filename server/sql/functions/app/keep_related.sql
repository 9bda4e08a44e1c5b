set local role svc_publisher;

-- What to read after a public piece.
create or replace function app.keep_related(p_piece uuid, p_related uuid[]) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ update pub.related r set related = p_related, computed_at = clock_timestamp() where r.piece_id = p_piece $$;

revoke all on function app.keep_related(uuid, uuid[]) from public;
grant execute on function app.keep_related(uuid, uuid[]) to svc_worker;
