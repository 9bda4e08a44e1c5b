set local role svc_owner;

create or replace function app.guard_slug() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if exists (select from app.retired_slugs r where r.slug = new.slug) then
    raise unique_violation using message = 'this address belonged to a writer who has left';
  end if;
  return new;
end
$$;

revoke all on function app.guard_slug() from public;
