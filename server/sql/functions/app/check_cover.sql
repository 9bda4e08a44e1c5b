set local role svc_publisher;

-- A cover, named by a person or a key, must be a picture of the piece's writer: otherwise it would be missing in public
-- without anybody knowing why. Pictures of others are answered as those that never were.
create or replace function app.check_cover() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  if not exists (select from app.media m
                  where m.writer_id = new.writer_id and m.hash = new.fields #>> '{cover,hash}') then
    raise exception 'error.cover_not_found' using errcode = 'SF400';
  end if;
  return null;
end
$$;

revoke all on function app.check_cover() from public;
grant execute on function app.check_cover() to svc_owner;
