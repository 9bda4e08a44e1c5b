set local role svc_owner;

-- A host has a delivery due at that time. Locks its row, which is locked before those of its deliveries everywhere.
create or replace function app.line_up_fediverse_host(p_host text, p_due timestamptz) returns void
  language sql
  set search_path = pg_catalog, pg_temp
  as $$
    insert into app.fediverse_hosts as h (host, ready_at) values (p_host, p_due)
    on conflict (host) do update set ready_at = least(h.ready_at, excluded.ready_at)
  $$;

revoke all on function app.line_up_fediverse_host(text, timestamptz) from public;
