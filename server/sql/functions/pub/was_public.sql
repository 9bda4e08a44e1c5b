set local role svc_owner;

-- Whether a piece was public once and is no longer.
create or replace function pub.was_public(p_piece uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select not exists (select from pub.pieces p where p.id = p_piece) and app.has_been_public(p_piece)
  $$;

revoke all on function pub.was_public(uuid) from public;
grant execute on function pub.was_public(uuid) to svc_public;
