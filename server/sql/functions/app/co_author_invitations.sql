set local role svc_publisher;

-- For a writer: the pieces they are invited to, or are a co-author of; those that wait for an answer first.
create or replace function app.co_author_invitations(p_session_hash bytea)
  returns table (piece_id uuid, headline text, sub text, locale text, revision integer, is_public boolean, writer_slug text,
                 writer_name text, invited_at timestamptz, answer text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select p.id, p.headline, p.sub, p.locale, p.revision, exists (select from pub.pieces shown where shown.id = p.id),
           w.slug, w.name, c.invited_at, c.answer
      from app.co_authors c
      join app.pieces p on p.id = c.piece_id and p.writer_id = c.invited_by and p.deleted_at is null
      join app.writers w on w.id = c.invited_by
     where c.removed_at is null
       and c.writer_id = (select a.id from app.writers a where a.account_id = session.account_id)
     order by c.answer is not null, c.invited_at desc, c.piece_id
     limit 100;
end
$$;

revoke all on function app.co_author_invitations(bytea) from public;
grant execute on function app.co_author_invitations(bytea) to svc_desk;
