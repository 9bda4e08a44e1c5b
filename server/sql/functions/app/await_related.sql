set local role svc_owner;

-- What became public waits for the worker, which may not have the job: a restored piece, or a release before this one.
-- Runs as the role that writes the public schema, which is svc_publisher alone.
create or replace function app.await_related() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into pub.related (piece_id) select n.id from shown n on conflict do nothing;
  return null;
end
$$;

revoke all on function app.await_related() from public;
