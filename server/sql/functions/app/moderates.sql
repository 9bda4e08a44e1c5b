set local role svc_publisher;

create or replace function app.moderates(p_session app.sessions) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return exists (select from app.accounts a where a.id = p_session.account_id and a.role in ('moderator', 'operator'));
end
$$;

revoke all on function app.moderates(app.sessions) from public;
