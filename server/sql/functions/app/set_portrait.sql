set local role svc_publisher;

-- A picture of theirs becomes their portrait, or none does. Public at once where the profile is.
create or replace function app.set_portrait(p_session_hash bytea, p_hash text, p_url text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.media_writer(p_session_hash);
begin
  if p_hash is not null and (p_url not like '%/media/' || p_hash
     or not exists (select from app.media m where m.writer_id = writer and m.hash = p_hash)) then
    raise exception 'error.picture_not_found' using errcode = 'SF404';
  end if;
  update app.writers set avatar_url = case when p_hash is not null then p_url end where id = writer;
  if exists (select from pub.authors a where a.id = writer) then
    perform app.show_author(writer);
  end if;
end
$$;

revoke all on function app.set_portrait(bytea, text, text) from public;
grant execute on function app.set_portrait(bytea, text, text) to svc_desk;
