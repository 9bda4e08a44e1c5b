set local role svc_owner;

create or replace function app.record_deletion() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.record_event(new.id, case when new.delete_at is null then 'deletion_cancelled' else 'deletion_asked' end);
  return null;
end
$$;

revoke all on function app.record_deletion() from public;
