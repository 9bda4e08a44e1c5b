set local role svc_publisher;

-- A page of the trash, the last deleted first: what is after this time and id.
create or replace function app.trash_of(p_session_hash bytea, p_time timestamptz, p_id uuid, p_limit integer)
  returns setof app.pieces
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select p.* from app.pieces p
     where p.writer_id = (select w.id from app.writers w where w.account_id = session.account_id)
       and p.deleted_at is not null and (p.deleted_at, p.id) < (p_time, p_id)
     order by p.deleted_at desc, p.id desc limit p_limit;
end
$$;

revoke all on function app.trash_of(bytea, timestamp with time zone, uuid, integer) from public;
grant execute on function app.trash_of(bytea, timestamp with time zone, uuid, integer) to svc_desk;
