set local role svc_owner;

-- For the operator: what waits.
create or replace function app.appeals_waiting()
  returns table (id uuid, appealed_at timestamptz, headline text, category text, facts text, appeal text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.id, d.appealed_at, d.headline, d.category, d.facts, d.appeal from app.decisions d
     where d.appealed_at is not null and d.outcome is null order by d.appealed_at, d.id
  $$;

revoke all on function app.appeals_waiting() from public;
