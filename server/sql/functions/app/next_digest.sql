set local role svc_owner;

-- The day on which the next digest is due. A weekly one is sent on Mondays.
create or replace function app.next_digest(p_kind text, p_moment timestamptz) returns date
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case p_kind when 'daily' then day else day + (8 - extract(isodow from day)::integer) % 7 end
      from (select (p_moment at time zone 'UTC' - interval :'digest_time')::date + 1 as day) as next
  $$;

revoke all on function app.next_digest(text, timestamptz) from public;
