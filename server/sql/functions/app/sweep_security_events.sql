set local role svc_owner;

-- Answers how many there were.
create or replace function app.sweep_security_events() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  with gone as (
    delete from app.security_events e using (
      select o.account_id, o.number from app.security_events o where o.at < now() - interval :'security_event_retention'
       order by o.at, o.account_id, o.number limit 5000) old
     where e.account_id = old.account_id and e.number = old.number
    returning e.account_id, e.number
  ), counted as (
    update app.security_heads h set swept = g.last
      from (select account_id, max(number) as last from gone group by account_id) g where h.account_id = g.account_id
  )
  select count(*) into swept from gone;
  return swept;
end
$$;

revoke all on function app.sweep_security_events() from public;
grant execute on function app.sweep_security_events() to svc_worker;
