set local role svc_owner;

-- A website whose check was asked for once is checked every day.
create or replace function app.websites_due(p_limit integer) returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select c.writer_id from app.website_checks c
     where c.checked_at < now() - interval :'website_check_interval'
        or (c.checked_at is null and c.asked_at < now() - interval '1 hour')
     order by c.checked_at nulls first limit p_limit
  $$;

revoke all on function app.websites_due(integer) from public;
grant execute on function app.websites_due(integer) to svc_worker;
