set local role svc_owner;

-- Who is at the desk; notes that they were seen, once a minute at most.
create or replace function app.person(p_session_hash bytea)
  returns table (account_id uuid, email text, name text, role text, session_id uuid, fresh boolean,
                 writer_id uuid, writer_slug text)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.session_of(p_session_hash);
begin
  if session.id is null then
    return;
  end if;
  if session.last_seen_at < clock_timestamp() - interval '1 minute' then
    -- Skips the row while another request notes the same.
    update app.sessions s set last_seen_at = clock_timestamp()
     where s.id = (select u.id from app.sessions u where u.id = session.id for no key update skip locked);
  end if;
  return query
    select a.id, a.email, coalesce(w.name, a.name, a.email), a.role, session.id, app.is_fresh(session), w.id, w.slug
      from app.accounts a left join app.writers w on w.account_id = a.id
     where a.id = session.account_id;
end
$$;

revoke all on function app.person(bytea) from public;
grant execute on function app.person(bytea) to svc_desk;
