set local role svc_publisher;

-- For the worker: whom an email about an invitation goes to, and what it names; no row once the piece or the invitation is gone.
create or replace function app.co_author_email(p_piece uuid, p_writer uuid)
  returns table (invited_account uuid, writer_account uuid, invited_name text, writer_name text, headline text, answer text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select invited.account_id, writer.account_id, invited.name, writer.name, p.headline, c.answer
      from app.co_authors c
      join app.pieces p on p.id = c.piece_id and p.writer_id = c.invited_by and p.deleted_at is null
      join app.writers invited on invited.id = c.writer_id
      join app.writers writer on writer.id = c.invited_by
     where c.piece_id = p_piece and c.writer_id = p_writer and c.removed_at is null
  $$;

revoke all on function app.co_author_email(uuid, uuid) from public;
grant execute on function app.co_author_email(uuid, uuid) to svc_worker;
