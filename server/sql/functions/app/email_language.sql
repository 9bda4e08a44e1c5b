set local role svc_owner;

-- The language of emails to this address: what its account chose; null if there is none. Without an account, that of the
-- account that asked to change to this address, or from it.
create or replace function app.email_language(p_email text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select known.language
      from (select a.language, null::timestamptz as asked_at from app.accounts a where a.email = lower(p_email)
            union all
            select a.language, c.asked_at from app.email_changes c join app.accounts a on a.id = c.account_id
             where lower(p_email) in (c.email, c.former_email)) known
     order by known.asked_at desc nulls first limit 1
  $$;

revoke all on function app.email_language(text) from public;
grant execute on function app.email_language(text) to svc_worker;
