set local role svc_publisher;

-- Packs up to `p_limit` saves that are older than a day, or drops them; says how many. One transaction packs at a time. A
-- name is given under the same lock, so none is lost.
create or replace function app.pack_history(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  before  timestamptz := now() - interval :'every_save_kept';
  piece   uuid;
  old     app.recent_revisions;
  row_now app.packed_revisions;
  packed  integer := 0;
begin
  perform pg_advisory_xact_lock(7305342);
  while packed < p_limit loop
    select r.piece_id into piece from app.recent_revisions r where r.saved_at < before order by r.saved_at limit 1;
    exit when not found;
    select p.* into row_now from app.packed_revisions p where p.piece_id = piece order by p.first_revision desc limit 1;
    for old in
      select r.* from app.recent_revisions r where r.piece_id = piece and r.saved_at < before
       order by r.revision limit p_limit - packed
    loop
      if app.is_kept(old) then
        if row_now.bytes + octet_length(old.body_md) > 250000 then
          perform app.write_packed(row_now);
          row_now := null;
        end if;
        row_now := (piece, coalesce(row_now.first_revision, old.revision), old.writer_id,
                     coalesce(row_now.bytes, 0) + octet_length(old.body_md),
                     coalesce(row_now.saves, '[]') || to_jsonb(old));
      end if;
      delete from app.recent_revisions r where r.piece_id = old.piece_id and r.revision = old.revision;
      packed := packed + 1;
    end loop;
    if row_now.piece_id is not null then
      perform app.write_packed(row_now);
    end if;
  end loop;
  return packed;
end
$$;

revoke all on function app.pack_history(integer) from public;
grant execute on function app.pack_history(integer) to svc_worker;
