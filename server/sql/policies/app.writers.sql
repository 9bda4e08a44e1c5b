set local role svc_owner;

revoke all on app.writers from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
grant select on app.writers to svc_desk;
grant select,
  update (slug, name, bio, role, niche, location, avatar_url, website, socials, identity_verified_at,
    website_verified_at, search_text, published)
  on app.writers to svc_publisher;
