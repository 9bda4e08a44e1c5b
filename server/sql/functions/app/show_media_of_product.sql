set local role svc_owner;

-- As for pieces: public in the transaction that shows the listing, and no longer than it.
create or replace function app.show_media_of_product() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select m.hash, new.id, new.author_id, m.type, m.bytes
      from app.media m where m.hash = new.image and m.writer_id = new.author_id;
  end if;
  return null;
end
$$;

revoke all on function app.show_media_of_product() from public;
