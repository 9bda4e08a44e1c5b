set local role svc_owner;

create or replace function app.desk_invite(p_session_hash bytea, p_token_hash bytea, p_email text)
  returns table (id uuid, expires_at timestamptz)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
begin
  perform app.lock_account_of(p_session_hash);
  session := app.moderating(p_session_hash);
  if (select count(*) from app.invitations i
       where i.made_by = session.account_id and i.created_at > clock_timestamp() - interval '1 day') >= :invitations_per_day then
    raise exception 'error.invitations_per_day' using errcode = 'SF419', detail = '{"limit":50}';
  end if;
  return query
    insert into app.invitations as made (token_hash, made_by, email) values (p_token_hash, session.account_id, p_email)
    returning made.id, made.expires_at;
end
$$;

revoke all on function app.desk_invite(bytea, bytea, text) from public;
grant execute on function app.desk_invite(bytea, bytea, text) to svc_desk;
