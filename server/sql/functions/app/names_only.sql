set local role svc_publisher;

-- Whether a receipt names no co-author besides these.
create or replace function app.names_only(p_receipt jsonb, p_co_authors uuid[]) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select not exists (select from jsonb_array_elements(p_receipt -> 'co_authors') named
                        where (named ->> 'id')::uuid <> all (coalesce(p_co_authors, '{}')))
  $$;

revoke all on function app.names_only(jsonb, uuid[]) from public;
