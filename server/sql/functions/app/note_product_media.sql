set local role svc_owner;

create or replace function app.note_product_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from app.product_media where product_id = new.id;
  insert into app.product_media (product_id, hash, writer_id)
  select new.id, m.hash, m.writer_id from app.media m where m.hash = new.image and m.writer_id = new.writer_id;
  if new.image is not null and not found then
    raise exception 'error.picture_not_found' using errcode = 'SF404';
  end if;
  return null;
end
$$;

revoke all on function app.note_product_media() from public;
