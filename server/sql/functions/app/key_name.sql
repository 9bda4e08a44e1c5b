set local role svc_owner;

-- What the writer called the key that saved a revision.
create or replace function app.key_name(p_key uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select k.name from app.api_keys k where k.id = p_key and k.writer_id = app.session_writer());
end
$$;

revoke all on function app.key_name(uuid) from public;
grant execute on function app.key_name(uuid) to svc_desk;
