set local role svc_publisher;

-- Whose session this is, as a writer; they do one thing with pictures at a time.
create or replace function app.media_writer(p_session_hash bytea) returns uuid
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  writer uuid;
begin
  select w.id into writer
    from app.writers w join app.sessions s on s.account_id = w.account_id where s.token_hash = p_session_hash;
  perform pg_advisory_xact_lock(hashtextextended(writer::text, 5));
  perform app.signed_in(p_session_hash);
  if writer is null then
    raise exception 'error.writers_only' using errcode = 'SF403';
  end if;
  return writer;
end
$$;

revoke all on function app.media_writer(bytea) from public;
