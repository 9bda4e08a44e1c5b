set local role svc_publisher;

create or replace function app.told_of_suspension(p_writer uuid) returns table (account_id uuid, slugs text[])
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select w.account_id, array[w.slug] || array(select f.slug from app.former_slugs f where f.writer_id = w.id)
      from app.writers w where w.id = p_writer
  $$;

revoke all on function app.told_of_suspension(uuid) from public;
