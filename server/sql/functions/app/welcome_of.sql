set local role svc_owner;

-- The welcome of a writer who is public.
create or replace function app.welcome_of(p_writer uuid) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.text from app.welcomes w where w.writer_id = p_writer and exists (select from pub.authors a where a.id = p_writer)
  $$;

revoke all on function app.welcome_of(uuid) from public;
grant execute on function app.welcome_of(uuid) to svc_worker;
