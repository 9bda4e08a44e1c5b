set local role svc_publisher;

-- For the worker: whom an email about a translation goes to, and what it names; no row if either piece was deleted.
create or replace function app.translation_email(p_piece uuid, p_original uuid)
  returns table (author_account uuid, translator_account uuid, translator_name text, headline text, original_headline text,
                 locale text, answer text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select author.account_id, translator.account_id, translator.name, p.headline, o.headline, p.locale, r.answer
      from app.translation_requests r
      join app.pieces p on p.id = r.piece_id and p.deleted_at is null
      join app.pieces o on o.id = r.original_id and o.deleted_at is null
      join app.writers translator on translator.id = r.translator_id
      join app.writers author on author.id = r.author_id
     where r.piece_id = p_piece and r.original_id = p_original
  $$;

revoke all on function app.translation_email(uuid, uuid) from public;
grant execute on function app.translation_email(uuid, uuid) to svc_worker;
