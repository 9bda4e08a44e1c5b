set local role svc_owner;

create or replace function app.note_failed_variants(p_hash text) returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$ update app.media_variants v set failures = v.failures + 1 where v.hash = p_hash $$;

revoke all on function app.note_failed_variants(text) from public;
grant execute on function app.note_failed_variants(text) to svc_worker;
