set local role svc_owner;

-- What a writer's pictures are, for taking them along.
create or replace function app.media_of(p_session_hash bytea)
  returns table (hash text, bytes integer, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select m.hash, m.bytes, m.created_at from app.media m join app.writers w on w.id = m.writer_id
     where w.account_id = session.account_id order by m.created_at, m.hash;
end
$$;

revoke all on function app.media_of(bytea) from public;
grant execute on function app.media_of(bytea) to svc_desk;
