set local role svc_publisher;

-- The piece, for this act alone until it is done; nothing where there is none, or it lies in the trash. With everybody who
-- signs it or is invited to, in one order: acts on it write their counts, and two may sign pieces of each other.
create or replace function app.locked_piece(p_piece uuid) returns app.pieces
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  found_piece app.pieces;
begin
  select p.* into found_piece from app.pieces p where p.id = p_piece and p.deleted_at is null for update;
  if found then
    perform app.lock_writer(one.id)
       from (select found_piece.writer_id as id
             union select c.writer_id from app.co_authors c where c.piece_id = p_piece and c.removed_at is null
             order by 1) one;
  end if;
  return found_piece;
end
$$;

revoke all on function app.locked_piece(uuid) from public;
