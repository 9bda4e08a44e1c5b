set local role svc_owner;

-- Checks the next chains, in the order of their accounts, and keeps the first wrong row of each with its head.
create or replace function app.check_security_chains(p_after uuid, p_most integer)
  returns table (account_id uuid, broken integer)
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with slice as (
      select h.* from app.security_heads h where p_after is null or h.account_id > p_after
       order by h.account_id limit p_most
    ), rows as (
      select e.account_id, e.number, e.hash, s.swept + row_number() over chain as expected,
             e.hash is distinct from app.security_hash(e)
             or e.number <> s.swept + row_number() over chain
             or e.previous is distinct from
                coalesce(lag(e.hash) over chain, case when s.swept = 0 then '' else e.previous end) as wrong
        from slice s join app.security_events e on e.account_id = s.account_id
      window chain as (partition by e.account_id order by e.number)
    ), found as (
      select s.account_id, s.broken as before, coalesce(
               (select min(least(r.number, r.expected)) from rows r where r.account_id = s.account_id and r.wrong),
               (select s.number where s.number > s.swept and not exists (
                  select from rows r where r.account_id = s.account_id and r.number = s.number and r.hash = s.hash))
             )::integer as broken
        from slice s
    ), kept as (
      update app.security_heads h set broken = f.broken from found f
       where h.account_id = f.account_id and f.broken is distinct from f.before
    )
    select f.account_id, f.broken from found f order by f.account_id
  $$;

revoke all on function app.check_security_chains(uuid, integer) from public;
grant execute on function app.check_security_chains(uuid, integer) to svc_worker;
