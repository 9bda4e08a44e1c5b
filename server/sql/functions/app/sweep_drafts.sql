set local role svc_owner;

-- Throws away what has served its time, 5,000 rows at most, so that no statement runs long; says how many.
create or replace function app.sweep_drafts() returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  swept integer;
begin
  delete from app.idempotency i
   where i.ctid = any (array(select o.ctid from app.idempotency o
                              where o.created_at <= now() - interval :'idempotency_retention' limit 5000));
  get diagnostics swept = row_count;
  return swept;
end
$$;

revoke all on function app.sweep_drafts() from public;
grant execute on function app.sweep_drafts() to svc_worker;
