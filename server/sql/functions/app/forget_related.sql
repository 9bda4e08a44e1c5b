set local role svc_owner;

-- Runs as the role that writes the public schema, which is svc_publisher alone.
create or replace function app.forget_related() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.related r where r.piece_id in (select g.id from gone g);
  return null;
end
$$;

revoke all on function app.forget_related() from public;
