set local role svc_publisher;

create or replace function app.has_been_public(p_piece uuid) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from app.audit a where a.piece_id = p_piece and a.to_status = 'approved')
  $$;

revoke all on function app.has_been_public(uuid) from public;
grant execute on function app.has_been_public(uuid) to svc_owner;
