set local role svc_publisher;

-- The text a token shows: of its revision, or of the piece as it is now.
create or replace function app.previewed_text(p_live app.previews)
  returns table (headline text, sub text, body_md text, category text, tags text[], style text, locale text,
                 fields jsonb)
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select p.headline, p.sub, p.body_md, p.category, p.tags, p.style, p.locale, p.fields
      from app.pieces p
     where p.id = p_live.piece_id and p.revision = coalesce(p_live.revision, p.revision)
    union all
    select r.headline, r.sub, r.body_md, r.category, r.tags, r.style, r.locale, r.fields
      from app.past_revisions r join app.pieces p on p.id = r.piece_id
     where r.piece_id = p_live.piece_id and r.revision = p_live.revision and r.revision <> p.revision;
end
$$;

revoke all on function app.previewed_text(app.previews) from public;
