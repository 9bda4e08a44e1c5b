set local role svc_publisher;

-- Taken down, and not public again since.
create or replace function app.is_taken_down(p_piece uuid) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return coalesce(
    (select t.act = 'take_down' from app.audit t
      where t.piece_id = p_piece and (t.act = 'take_down' or t.to_status = 'approved')
      order by t.id desc limit 1), false);
end
$$;

revoke all on function app.is_taken_down(uuid) from public;
