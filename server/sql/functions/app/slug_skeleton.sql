set local role svc_owner;

-- Slugs that a reader could take for one another have the same: 0 for o, 1 for l, rn for m, vv for w.
create or replace function app.slug_skeleton(p_slug text) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  as $$ select translate(replace(replace(p_slug, 'rn', 'm'), 'vv', 'w'), '01', 'ol') $$;

revoke all on function app.slug_skeleton(text) from public;
grant execute on function app.slug_skeleton(text) to svc_publisher;
