set local role svc_owner;

create or replace function app.order_media_variants() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.media_variants (hash, author_id) values (new.hash, new.author_id) on conflict do nothing;
  return null;
end
$$;

revoke all on function app.order_media_variants() from public;
