set local role svc_publisher;

-- The public profile, made or brought up to date. Counts are kept by the publishing functions.
create or replace function app.show_author(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.lock_writer(p_writer);
  insert into pub.authors as shown (id, slug, name, bio, role, niche, location, avatar_url, website,
                           identity_verified, website_verified, socials, joined_at, search_text)
  select w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url, w.website,
         w.identity_verified_at is not null, w.website_verified_at is not null, w.socials, w.joined_at, w.search_text
    from app.writers w where w.id = p_writer
  on conflict (id) do update set
    slug = excluded.slug, name = excluded.name, bio = excluded.bio, role = excluded.role, niche = excluded.niche,
    location = excluded.location, avatar_url = excluded.avatar_url, website = excluded.website,
    identity_verified = excluded.identity_verified, website_verified = excluded.website_verified,
    socials = excluded.socials, joined_at = excluded.joined_at, search_text = excluded.search_text;

  delete from pub.former_slugs f
   where f.author_id = p_writer
     and not exists (select from app.former_slugs s where s.slug = f.slug and s.writer_id = p_writer);
  insert into pub.former_slugs (slug, author_id)
  select s.slug, s.writer_id from app.former_slugs s where s.writer_id = p_writer
  on conflict (slug) do update set author_id = excluded.author_id;
end
$$;

revoke all on function app.show_author(uuid) from public;
