set local role svc_publisher;

-- The translations of a piece that is deleted for good no longer name it: its id can be used again.
create or replace function app.forget_original() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update pub.pieces p set translation_of = null where p.translation_of = old.id;
  return null;
end
$$;

revoke all on function app.forget_original() from public;
grant execute on function app.forget_original() to svc_owner;
