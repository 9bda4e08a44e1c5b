set local role svc_publisher;

-- Whether this person is invited to be a co-author of the piece, or is one. Declining, withdrawing and being removed end it.
create or replace function app.is_invited(p_piece app.pieces, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (
      select from app.co_authors c join app.writers w on w.id = c.writer_id
       where c.piece_id = p_piece.id and c.invited_by = p_piece.writer_id and c.removed_at is null
         and (c.answer is null or c.answer = 'agreed') and w.account_id = p_account and p_piece.deleted_at is null)
  $$;

revoke all on function app.is_invited(app.pieces, uuid) from public;
