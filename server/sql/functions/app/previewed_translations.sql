set local role svc_publisher;

-- The public pieces that the page of what a token shows would name: its original, first, and the other translations.
create or replace function app.previewed_translations(p_token_hash bytea)
  returns table (id uuid, slug text, headline text, locale text, external_url text, is_original boolean, author_slug text,
                 author_name text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live  app.previews := app.live_preview(p_token_hash);
  named uuid := (select (t.fields ->> 'translation_of')::uuid from app.previewed_text(live) t);
begin
  return query
    select o.id, o.slug, o.headline, o.locale, o.external_url, o.translation_of is null, a.slug, a.name
      from pub.pieces o join pub.authors a on a.id = o.author_id
     where (o.translation_of = coalesce(named, live.piece_id) or o.id = named) and o.id <> live.piece_id
     order by o.translation_of is not null, o.published_at, o.id
     limit 50;
end
$$;

revoke all on function app.previewed_translations(bytea) from public;
grant execute on function app.previewed_translations(bytea) to svc_desk;
