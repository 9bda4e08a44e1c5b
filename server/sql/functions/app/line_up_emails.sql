set local role svc_owner;

-- A domain has an email due at that time.
create or replace function app.line_up_emails(p_domain bytea, p_due timestamptz) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.mail_domains as d (domain_hash, ready_at) values (p_domain, p_due)
    on conflict (domain_hash) do update set ready_at = excluded.ready_at
     where d.ready_at is null or d.ready_at > excluded.ready_at
  $$;

revoke all on function app.line_up_emails(bytea, timestamptz) from public;
