-- A picture that is uploaded again while the sweep looks at it is kept.
--
-- The sweep waited for the upload's lock and then deleted the row it had chosen before. A condition on the row itself is
-- checked again after such a wait; one inside the subquery is not.
--
-- Lock: none.

set local role svc_owner;

create or replace function app.sweep_media() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.media old where old.created_at < clock_timestamp() - interval '7 days'
    and (old.writer_id, old.hash) in (
    select m.writer_id, m.hash from app.media m
     where m.created_at < clock_timestamp() - interval '7 days'
       and not exists (select from app.piece_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.product_media n where n.writer_id = m.writer_id and n.hash = m.hash)
       and not exists (select from app.writers w where w.id = m.writer_id and w.avatar_url like '%/media/' || m.hash)
       and not exists (select from pub.media s where s.hash = m.hash and s.author_id = m.writer_id)
     limit 500);
  get diagnostics swept = row_count;
  return swept;
end
$$;
