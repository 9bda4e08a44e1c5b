set local role svc_owner;

-- Whether it is, was or could be taken for the address of another writer, or of the site itself.
create or replace function app.is_slug_taken(p_slug text, p_writer uuid) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  skeleton text := app.slug_skeleton(p_slug);
begin
  return not app.is_free_slug(skeleton)
      or exists (select from app.writers w where app.slug_skeleton(w.slug) = skeleton and w.id is distinct from p_writer)
      or exists (select from app.former_slugs f
                  where app.slug_skeleton(f.slug) = skeleton and f.writer_id is distinct from p_writer)
      or exists (select from app.retired_slugs r where app.slug_skeleton(r.slug) = skeleton);
end
$$;

revoke all on function app.is_slug_taken(text, uuid) from public;
grant execute on function app.is_slug_taken(text, uuid) to svc_publisher;
