set local role svc_publisher;

-- For an author: who wants to publish, or has published, a translation of their pieces; unanswered requests first.
create or replace function app.translations_asked(p_session_hash bytea)
  returns table (piece_id uuid, headline text, sub text, locale text, revision integer, is_public boolean, translator_slug text,
                 translator_name text, original_id uuid, original_headline text, asked_at timestamptz, answer text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select p.id, p.headline, p.sub, p.locale, p.revision, shown.id is not null, w.slug, w.name, o.id, o.headline,
           r.asked_at, r.answer
      from app.translation_requests r
      join app.pieces p on p.id = r.piece_id and p.writer_id = r.translator_id and p.deleted_at is null
      left join pub.pieces shown on shown.id = p.id
      join app.pieces o on o.id = r.original_id and o.deleted_at is null
      join app.writers w on w.id = r.translator_id
     where r.original_id in ((p.fields ->> 'translation_of')::uuid, shown.translation_of)
       and r.author_id = (select a.id from app.writers a where a.account_id = session.account_id)
     order by r.answer is not null, r.asked_at desc, r.piece_id
     limit 100;
end
$$;

revoke all on function app.translations_asked(bytea) from public;
grant execute on function app.translations_asked(bytea) to svc_desk;
