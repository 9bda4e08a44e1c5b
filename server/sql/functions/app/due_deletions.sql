set local role svc_owner;

create or replace function app.due_deletions() returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select a.id from app.accounts a where a.delete_at <= now() order by a.delete_at limit 100 $$;

revoke all on function app.due_deletions() from public;
grant execute on function app.due_deletions() to svc_worker;
