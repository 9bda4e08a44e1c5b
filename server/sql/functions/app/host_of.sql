set local role svc_owner;

-- The host of an address, with its port if it has one.
create or replace function app.host_of(p_address text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select lower(substring(p_address from '^https?://([^/?#]+)'))
  $$;

revoke all on function app.host_of(text) from public;
