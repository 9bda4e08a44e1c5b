set local role svc_owner;

create or replace function app.moderating(p_session_hash bytea) returns app.sessions
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  if not exists (select from app.accounts a where a.id = session.account_id and a.role in ('moderator', 'operator')) then
    raise exception 'error.moderators_only' using errcode = 'SF403';
  end if;
  return session;
end
$$;

revoke all on function app.moderating(bytea) from public;
