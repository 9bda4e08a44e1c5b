set local role svc_publisher;

-- All that the page of it shows, of the piece and of its writer.
create or replace function app.previewed(p_token_hash bytea)
  returns table (id uuid, headline text, sub text, body_md text, category text, tags text[], style text, locale text,
                 external_url text, piece_slug text, first_published_at timestamptz, writer_id uuid, writer_slug text,
                 name text, bio text, role text, niche text, location text, avatar_url text, website text,
                 identity_verified boolean, website_verified boolean, socials jsonb, joined_at timestamptz,
                 pictures json)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  live app.previews := app.live_preview(p_token_hash);
begin
  if live.id is null then
    return;
  end if;
  if live.last_seen_at is null or live.last_seen_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.previews v set last_seen_at = date_trunc('milliseconds', clock_timestamp())
     where v.id = (select u.id from app.previews u where u.id = live.id for no key update skip locked);
  end if;
  return query
    select p.id, t.headline, t.sub, t.body_md, t.category, t.tags, t.style, t.locale, t.fields ->> 'external_url',
           p.slug, p.first_published_at, w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url,
           w.website, w.identity_verified_at is not null, w.website_verified_at is not null, w.socials, w.joined_at,
           (select coalesce(json_object_agg(m.hash, json_build_array(m.width, m.height)), '{}')
              from app.piece_media n join app.media m on m.hash = n.hash and m.writer_id = n.writer_id
             where n.piece_id = p.id)
      from app.pieces p join app.writers w on w.id = p.writer_id
           cross join app.previewed_text(live) t
     where p.id = live.piece_id;
end
$$;

revoke all on function app.previewed(bytea) from public;
grant execute on function app.previewed(bytea) to svc_desk;
