set local role svc_publisher;

-- Whose names a piece of this writer may show besides theirs, in order: who agreed and was not removed or suspended since.
-- Null if nobody. The only definition of consent; the id of a deleted piece can be used again, by another writer too.
create or replace function app.co_authors_of(p_piece uuid, p_writer uuid) returns uuid[]
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select nullif(array(
      select c.writer_id from app.co_authors c
       where c.piece_id = p_piece and c.invited_by = p_writer and c.answer = 'agreed' and c.removed_at is null
         and not exists (select from app.suspensions s where s.writer_id = c.writer_id)
       order by c.position, c.writer_id), '{}')
  $$;

revoke all on function app.co_authors_of(uuid, uuid) from public;
