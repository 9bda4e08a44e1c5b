set local role svc_owner;

-- What a reader follows or was asked to confirm, for the page that a link in their emails leads to.
create or replace function app.follows_of(p_reader uuid)
  returns table (subject text, frequency text, asked_at timestamptz, confirmed_at timestamptz)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select f.subject, f.frequency, f.asked_at, f.confirmed_at from app.follows f
     where f.reader_id = p_reader order by f.asked_at, f.subject
  $$;

revoke all on function app.follows_of(uuid) from public;
grant execute on function app.follows_of(uuid) to svc_desk, svc_worker;
