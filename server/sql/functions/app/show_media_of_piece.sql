set local role svc_owner;

-- Both run as the role that writes the public schema, which is svc_publisher alone. Stored HTML has a picture of the site
-- as a path, in a tag that no text can spell: there every `<` is `&lt;`.
create or replace function app.show_media_of_piece() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from pub.media where shown_by = old.piece_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into pub.media (hash, shown_by, author_id, type, bytes)
    select m.hash, new.piece_id, new.author_id, m.type, m.bytes
      from (select shown[1] as hash
              from regexp_matches(new.html, '<(?:img src|a href)="/media/([0-9a-f]{64})"', 'g') as shown
             union
            select p.cover ->> 'hash' from pub.pieces p where p.id = new.piece_id and p.cover is not null) named
      join app.media m on m.hash = named.hash and m.writer_id = new.author_id;
  end if;
  return null;
end
$$;

revoke all on function app.show_media_of_piece() from public;
