set local role svc_publisher;

-- What became public waits for the worker, which may not have the job: a restored piece, or a release before this one.
create or replace function app.await_related() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  insert into pub.related (piece_id) select n.id from shown n on conflict do nothing;
  return null;
end
$$;

revoke all on function app.await_related() from public;
grant execute on function app.await_related() to svc_owner;
