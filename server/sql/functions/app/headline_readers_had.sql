set local role svc_publisher;

-- The headline readers last had of a piece before that place in the trail; null where they never had it. Not the
-- owner's: row security keeps the working copy from it.
create or replace function app.headline_readers_had(p_piece uuid, p_audit bigint) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(r.headline, p.headline)
      from (select t.revision from app.audit t
             where t.piece_id = p_piece and t.id <= p_audit and t.to_status = 'approved' and t.act <> 'dismiss_reports'
             order by t.id desc limit 1) shown
      left join app.past_revisions r on r.piece_id = p_piece and r.revision = shown.revision
      left join app.pieces p on p.id = p_piece and p.revision = shown.revision
  $$;

revoke all on function app.headline_readers_had(uuid, bigint) from public;
grant execute on function app.headline_readers_had(uuid, bigint) to svc_owner;
