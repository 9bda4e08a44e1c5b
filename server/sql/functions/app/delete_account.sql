set local role svc_owner;

-- The account, once its pieces are gone: when it is due. Answers with the addresses that must be purged
-- and the one to write to.
create or replace function app.delete_account(p_account uuid) returns table (email text, slugs text[])
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account app.accounts;
  writer  app.writers;
begin
  select a.* into account from app.accounts a where a.id = p_account and a.delete_at <= now() for update;
  if not found then
    raise exception 'error.deletion_not_due' using errcode = 'SF404';
  end if;
  select w.* into writer from app.writers w where w.account_id = account.id for update;
  slugs := array(select writer.slug where writer.id is not null
                 union all select f.slug from app.former_slugs f where f.writer_id = writer.id);
  if writer.id is not null then
    perform app.forget_subjects(array(select 'author:' || writer.id
                                      union all select 'series:' || s.id from pub.series s where s.author_id = writer.id));
    perform app.hide_author(writer.id);
    insert into app.retired_slugs (slug) select unnest(slugs) on conflict do nothing;
    perform app.end_fediverse_actor(writer.id);
    delete from app.writers w where w.id = writer.id;
  end if;
  update app.reports r set email = null where lower(r.email) = account.email;
  delete from jobs.job j
   where lower(j.data ->> 'email') = account.email
      or account.id::text in (j.data ->> 'account', j.data -> 'to' ->> 'account')
      or j.data ->> 'writer' = writer.id::text;
  delete from app.sign_in_attempts t where t.account_key = app.attempt_key('account', account.email);
  delete from app.accounts a where a.id = account.id;
  email := account.email;
  return next;
end
$$;

revoke all on function app.delete_account(uuid) from public;
grant execute on function app.delete_account(uuid) to svc_worker;
