set local role svc_publisher;

-- The draft as it is now, for a co-author who agreed.
create or replace function app.co_authored_piece(p_piece uuid, p_session_hash bytea)
  returns table (headline text, locale text, revision integer, body_md text, is_public boolean, writer_slug text,
                 writer_name text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select p.headline, p.locale, p.revision, p.body_md, exists (select from pub.pieces shown where shown.id = p.id),
           w.slug, w.name
      from app.pieces p join app.writers w on w.id = p.writer_id
     where p.id = p_piece and app.is_co_author(p.id, session.account_id);
  if not found then
    raise exception 'error.piece_not_found' using errcode = 'SF404';
  end if;
end
$$;

revoke all on function app.co_authored_piece(uuid, bytea) from public;
grant execute on function app.co_authored_piece(uuid, bytea) to svc_desk;
