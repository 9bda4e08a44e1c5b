set local role svc_owner;

create or replace function app.session_writer() returns uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.acting_session();
begin
  return (select w.id from app.writers w where w.account_id = session.account_id);
end
$$;

revoke all on function app.session_writer() from public;
grant execute on function app.session_writer() to svc_desk;
