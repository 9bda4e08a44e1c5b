set local role svc_owner;

-- When a domain is looked at next: when its rest is over and an email is due, or when a lease expires if it takes no more at
-- once.
create or replace function app.line_up_emails_again(p_domain bytea) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    update app.mail_domains d set ready_at = (
      select case when count(*) filter (where e.lease_token is not null) >= d.width
                  then min(e.due_at) filter (where e.lease_token is not null)
                  else least(case when count(*) filter (where e.lease_token is null) > 0
                                  then greatest(min(e.due_at) filter (where e.lease_token is null), d.rests_until) end,
                             min(e.due_at) filter (where e.lease_token is not null)) end
        from (select p.due_at, p.lease_token from app.reader_emails p
               where p.domain_hash = d.domain_hash and p.lease_token is not null
              union all
              (select p.due_at, p.lease_token from app.reader_emails p
                where p.domain_hash = d.domain_hash and p.state = 'pending' and p.lease_token is null
                order by p.due_at limit 1)) as e)
     where d.domain_hash = p_domain
  $$;

revoke all on function app.line_up_emails_again(bytea) from public;
