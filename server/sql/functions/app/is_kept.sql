set local role svc_publisher;

-- For good: what was published, submitted or decided about, what its writer named or shows by a link, what a key saved.
-- Else the last of each ten minutes of one hand.
create or replace function app.is_kept(p_old app.recent_revisions) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return p_old.key_id is not null
    or exists (select from app.audit a where a.piece_id = p_old.piece_id and a.revision = p_old.revision)
    or exists (select from app.revision_names n where n.piece_id = p_old.piece_id and n.revision = p_old.revision)
    or exists (select from app.previews v where v.piece_id = p_old.piece_id and v.revision = p_old.revision)
    or not exists (
         select from (
           select r.revision, r.account_id, r.saved_at from app.recent_revisions r
            where r.piece_id = p_old.piece_id and r.revision > p_old.revision
           union all
           select p.revision, p.saved_by_account, p.updated_at from app.pieces p where p.id = p_old.piece_id
           order by revision limit 1) next
          where next.account_id = p_old.account_id
            and date_bin('10 minutes', next.saved_at, 'epoch') = date_bin('10 minutes', p_old.saved_at, 'epoch'));
end
$$;

revoke all on function app.is_kept(app.recent_revisions) from public;
