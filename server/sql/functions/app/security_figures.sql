set local role svc_owner;

-- For those who watch: events of the last hour by what happened, wrong tries at addresses of anybody and nobody, and
-- chains that are broken.
create or replace function app.security_figures() returns table (act text, count integer)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select e.act, count(*)::integer from app.security_events e where e.at > now() - interval '1 hour' group by e.act
     union all
    select 'wrong_try', count(*)::integer from app.sign_in_attempts t
     where t.at > now() - interval '1 hour' and not t.succeeded
     union all
    select 'chain_broken', count(*)::integer from app.security_heads h where h.broken is not null
  $$;

revoke all on function app.security_figures() from public;
grant execute on function app.security_figures() to svc_worker;
