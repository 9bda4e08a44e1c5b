set local role svc_owner;

create or replace function app.set_follow_frequency(p_reader uuid, p_subject text, p_frequency text) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.follows f set frequency = p_frequency where f.reader_id = p_reader and f.subject = p_subject
  $$;

revoke all on function app.set_follow_frequency(uuid, text, text) from public;
grant execute on function app.set_follow_frequency(uuid, text, text) to svc_desk;
