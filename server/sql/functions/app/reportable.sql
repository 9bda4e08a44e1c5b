set local role svc_owner;

-- What a report is about, as everybody may know it.
create or replace function app.reportable(p_kind text, p_id uuid)
  returns table (kind text, id uuid, writer_id uuid, headline text, locale text, slug text, writer_slug text,
                 writer_name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select 'piece', p.id, a.id, p.headline, p.locale, p.slug, a.slug, a.name
      from pub.pieces p join pub.authors a on a.id = p.author_id where p_kind = 'piece' and p.id = p_id
    union all
    select 'listing', p.id, a.id, p.name, null, p.slug, a.slug, a.name
      from pub.products p join pub.authors a on a.id = p.author_id where p_kind = 'listing' and p.id = p_id
  $$;

revoke all on function app.reportable(text, uuid) from public;
grant execute on function app.reportable(text, uuid) to svc_desk;
