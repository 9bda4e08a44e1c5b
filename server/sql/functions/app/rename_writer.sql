set local role svc_owner;

-- The old address goes on leading to the writer. One that was another writer's former address is taken over: only an
-- operator comes here with such.
create or replace function app.rename_writer(p_writer uuid, p_slug text, p_session app.sessions) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  left_behind text;
begin
  select w.slug into left_behind from app.writers w where w.id = p_writer for update;
  if left_behind = p_slug then
    return;
  end if;
  update app.writers w set slug = p_slug where w.id = p_writer;
  delete from app.former_slugs f where f.slug = p_slug;
  insert into app.former_slugs (slug, writer_id) values (left_behind, p_writer)
  on conflict (slug) do update set writer_id = excluded.writer_id;
  insert into app.writer_audit (act, writer_id, account_id, session_id)
  values ('rename', p_writer, p_session.account_id, p_session.id);
end
$$;

revoke all on function app.rename_writer(uuid, text, app.sessions) from public;
grant execute on function app.rename_writer(uuid, text, app.sessions) to svc_publisher;
