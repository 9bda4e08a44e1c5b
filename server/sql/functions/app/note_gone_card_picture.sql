set local role svc_owner;

-- What is still shown elsewhere stays: app.take_gone_media looks again.
create or replace function app.note_gone_card_picture() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.media_gone (hash) values (old.picture) on conflict do nothing;
  return null;
end
$$;

revoke all on function app.note_gone_card_picture() from public;
