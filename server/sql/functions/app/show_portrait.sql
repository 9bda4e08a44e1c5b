set local role svc_owner;

create or replace function app.show_portrait() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.id;
  end if;
  if tg_op <> 'DELETE' and new.avatar_url like '%/media/%' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select m.hash, new.id, new.id, m.type, m.bytes
      from app.media m
     where m.writer_id = new.id and m.hash = substring(new.avatar_url from '/media/([0-9a-f]{64})$');
  end if;
  return null;
end
$$;

revoke all on function app.show_portrait() from public;
