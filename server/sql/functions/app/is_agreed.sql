set local role svc_publisher;

-- Whether one writer wrote both, or the author of the original has agreed. A request counts only between the two who made and
-- answered it: the id of a deleted piece can be used again.
create or replace function app.is_agreed(p_piece uuid, p_writer uuid, p_original uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (
      select from app.pieces o
       where o.id = p_original and o.deleted_at is null
         and (o.writer_id = p_writer
              or exists (select from app.translation_requests r
                          where r.piece_id = p_piece and r.original_id = p_original and r.translator_id = p_writer
                            and r.author_id = o.writer_id and r.answer = 'agreed')))
  $$;

revoke all on function app.is_agreed(uuid, uuid, uuid) from public;
