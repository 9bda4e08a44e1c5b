set local role svc_owner;

-- A file of the signed-in writer was read; its rows follow (app.add_follower_import_rows). It needs a recent sign-in, and replaces
-- what was not agreed to. Nobody is added yet.
create or replace function app.begin_follower_import(p_file_hash bytea, p_statement text, p_row_count integer, p_malformed integer,
                                                     p_repeated integer, p_ended integer) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
  begun  uuid;
begin
  perform app.freshly_signed_in(app.acting_hash('app.session_hash'));
  -- One at a time, so that two requests cannot both be the last.
  select w.id into writer from app.writers w where w.id = app.session_writer() for no key update;
  if writer is null then
    raise exception 'error.writers_only' using errcode = 'SF403';
  end if;
  if exists (select from app.follower_imports i where i.writer_id = writer and i.stopped_at is not null) then
    raise exception 'error.follower_import.stopped' using errcode = 'SF409';
  end if;
  if (select count(*) from app.follower_imports i
       where i.writer_id = writer and i.uploaded_at > clock_timestamp() - interval '1 day') >= :follower_files_per_day then
    raise exception 'error.follower_import.too_many_files'
      using errcode = 'SF419', detail = json_build_object('limit', :follower_files_per_day)::text;
  end if;
  delete from app.follower_import_rows r using app.follower_imports i
   where i.writer_id = writer and i.agreed_at is null and r.import_id = i.id;
  insert into app.follower_imports (writer_id, file_hash, statement, row_count, malformed, repeated, ended)
  values (writer, p_file_hash, p_statement, p_row_count, p_malformed, p_repeated, p_ended) returning id into begun;
  return begun;
end
$$;

revoke all on function app.begin_follower_import(bytea, text, integer, integer, integer, integer) from public;
grant execute on function app.begin_follower_import(bytea, text, integer, integer, integer, integer) to svc_desk;
