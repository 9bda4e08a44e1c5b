set local role svc_owner;

-- What the signed-in writer writes to new followers; null for nothing.
create or replace function app.set_welcome(p_text text) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid := app.session_writer();
begin
  if p_text is null then
    delete from app.welcomes w where w.writer_id = writer;
  else
    insert into app.welcomes (writer_id, text) values (writer, p_text)
    on conflict (writer_id) do update set text = excluded.text;
  end if;
end
$$;

revoke all on function app.set_welcome(text) from public;
grant execute on function app.set_welcome(text) to svc_desk;
