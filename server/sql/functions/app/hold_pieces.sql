set local role svc_publisher;

-- Those of `p_pieces` that nobody is at, and that nobody deletes before this transaction ends.
create or replace function app.hold_pieces(p_pieces uuid[]) returns setof uuid
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
  select p.id from app.pieces p where p.id = any (p_pieces) for key share skip locked
$$;

revoke all on function app.hold_pieces(uuid[]) from public;
grant execute on function app.hold_pieces(uuid[]) to svc_owner;
