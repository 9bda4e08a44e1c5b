set local role svc_owner;

-- The last save, for moderators; no row before the first.
create or replace function app.front_page_saved(p_session_hash bytea)
  returns table (version bigint, at timestamptz, moderator text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  perform app.moderating(p_session_hash);
  return query
    select s.version, s.at, a.name from app.front_page_saves s left join app.accounts a on a.id = s.account_id
     order by s.version desc limit 1;
end
$$;

revoke all on function app.front_page_saved(bytea) from public;
grant execute on function app.front_page_saved(bytea) to svc_desk;
