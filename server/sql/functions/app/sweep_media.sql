set local role svc_owner;

-- What no kept revision, no portrait, no listing and nothing public has named for seven days; some hundreds at a time.
-- The condition on the row itself is checked again after waiting for the lock of an upload; one in the subquery is not.
create or replace function app.sweep_media() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.media old where old.created_at < clock_timestamp() - interval :'unused_media_lifetime'
    and (old.writer_id, old.hash) in (
    select m.writer_id, m.hash from app.media m
     where m.created_at < clock_timestamp() - interval :'unused_media_lifetime'
       and not exists (select from app.piece_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.product_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.writers w where w.id = m.writer_id and w.avatar_url like '%/media/' || m.hash)
       and not exists (select from pub.media s where s.hash = m.hash and s.author_id = m.writer_id)
     limit 500);
  get diagnostics swept = row_count;
  return swept;
end
$$;

revoke all on function app.sweep_media() from public;
grant execute on function app.sweep_media() to svc_worker;
