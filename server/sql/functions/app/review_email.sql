set local role svc_publisher;

-- For the worker: the headline that an email about a review names, and the note it quotes; no row for a piece that was
-- deleted.
create or replace function app.review_email(p_piece uuid) returns table (account_id uuid, headline text, note text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.account_id, p.headline,
           (select t.note from app.audit t where t.piece_id = p.id and t.act = 'request_changes'
             order by t.at desc limit 1)
      from app.pieces p join app.writers w on w.id = p.writer_id
     where p.id = p_piece and p.deleted_at is null
  $$;

revoke all on function app.review_email(uuid) from public;
grant execute on function app.review_email(uuid) to svc_worker;
