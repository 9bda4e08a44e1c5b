set local role svc_publisher;

create or replace function app.forget_related() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  delete from pub.related r where r.piece_id in (select g.id from gone g);
  return null;
end
$$;

revoke all on function app.forget_related() from public;
grant execute on function app.forget_related() to svc_owner;
