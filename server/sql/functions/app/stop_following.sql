set local role svc_owner;

-- A reader stops following these, or everything where none are given; who follows nothing is forgotten.
create or replace function app.stop_following(p_reader uuid, p_subjects text[]) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform from app.readers r where r.id = p_reader for update;
  perform app.end_follows(p_reader, p_subjects);
  delete from app.readers r
   where r.id = p_reader and r.suppressed_at is null and not exists (select from app.follows f where f.reader_id = r.id);
end
$$;

revoke all on function app.stop_following(uuid, text[]) from public;
grant execute on function app.stop_following(uuid, text[]) to svc_desk;
