set local role svc_owner;

-- Which website to look at, for whose address. Nothing for a writer who is gone or barred, or has none.
create or replace function app.website_to_check(p_writer uuid)
  returns table (website text, slugs text[])
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return query
    select w.website, array[w.slug] || array(select f.slug from app.former_slugs f where f.writer_id = w.id)
      from app.writers w left join app.accounts a on a.id = w.account_id
     where w.id = p_writer and w.website is not null and a.disabled_at is null;
end
$$;

revoke all on function app.website_to_check(uuid) from public;
grant execute on function app.website_to_check(uuid) to svc_worker;
