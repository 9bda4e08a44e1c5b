set local role svc_owner;

-- Whether a reader gets nothing for this, since too many that came with the same list refused it.
create or replace function app.is_stopped(p_follow app.follows) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select p_follow.import_id is not null
       and exists (select from app.follower_imports i where i.id = p_follow.import_id and i.stopped_at is not null)
  $$;

revoke all on function app.is_stopped(app.follows) from public;
