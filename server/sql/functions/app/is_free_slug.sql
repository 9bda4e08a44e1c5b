set local role svc_owner;

create or replace function app.is_free_slug(slug text) returns boolean
  language sql immutable parallel safe
  as $$
    select slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$' and slug <> all (array[
      'about', 'admin', 'api', 'author', 'desk', 'developers', 'embed', 'feed', 'llms', 'login', 'me', 'p',
      'products', 'recent', 'search', 'shop', 'sign-in', 'trending', 'well-known'
    ])
  $$;

revoke all on function app.is_free_slug(text) from public;
grant execute on function app.is_free_slug(text) to svc_desk, svc_publisher;
