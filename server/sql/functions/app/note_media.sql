set local role svc_owner;

-- Only pictures there are, of the writer: whatever else a text names leaves no trace.
create or replace function app.note_media() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into app.piece_media (piece_id, hash, writer_id)
  select distinct new.id, m.hash, m.writer_id
    from (select written[1] as hash from regexp_matches(new.body_md, '/media/([0-9a-f]{64})', 'g') as written
           union
          select new.fields #>> '{cover,hash}') named
    join app.media m on m.hash = named.hash and m.writer_id = new.writer_id
  on conflict do nothing;
  return null;
end
$$;

revoke all on function app.note_media() from public;
