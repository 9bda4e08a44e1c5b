set local role svc_publisher;

-- Who may read a piece before it is public, besides moderators while it waits for them: its writer, whom they invited as a
-- co-author, and the author of the original whom they asked about a translation.
create or replace function app.may_read_draft(p_piece app.pieces, p_account uuid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.writers w where w.id = p_piece.writer_id and w.account_id = p_account)
        or app.is_invited(p_piece, p_account) or app.is_asked_by(p_piece, p_account)
  $$;

revoke all on function app.may_read_draft(app.pieces, uuid) from public;
