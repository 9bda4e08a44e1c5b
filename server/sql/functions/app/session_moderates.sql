set local role svc_owner;

create or replace function app.session_moderates() returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.acting_session();
begin
  return exists (select from app.accounts a where a.id = session.account_id and a.role in ('moderator', 'operator'));
end
$$;

revoke all on function app.session_moderates() from public;
grant execute on function app.session_moderates() to svc_desk;
