set local role svc_publisher;

-- For the worker: the headlines that the email about drafts made by keys names.
create or replace function app.newest_key_drafts(p_account uuid, p_limit integer) returns table (headline text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.headline from app.pieces p join app.writers w on w.id = p.writer_id
     where w.account_id = p_account and p.begun_by_key is not null and p.deleted_at is null
       and p.created_at > now() - interval '2 days'
     order by p.created_at desc limit p_limit
  $$;

revoke all on function app.newest_key_drafts(uuid, integer) from public;
grant execute on function app.newest_key_drafts(uuid, integer) to svc_worker;
