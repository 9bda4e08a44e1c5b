set local role svc_publisher;

-- The revision readers last had; what was made public without a trail was so at its first.
create or replace function app.shown_revision(p_piece uuid) returns integer
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce((select t.revision from app.audit t where t.piece_id = p_piece and t.to_status = 'approved'
                      order by t.id desc limit 1), 1)
  $$;

revoke all on function app.shown_revision(uuid) from public;
