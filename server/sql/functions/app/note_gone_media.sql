set local role svc_owner;

create or replace function app.note_gone_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.media_gone (hash) values (old.hash) on conflict do nothing;
  return null;
end
$$;

revoke all on function app.note_gone_media() from public;
