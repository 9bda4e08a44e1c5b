set local role svc_owner;

-- For its owner, the newest first.
create or replace function app.security_events_of(p_session_hash bytea, p_before integer, p_limit integer)
  returns table (account_id uuid, number integer, at timestamptz, act text, facts jsonb, previous text, hash text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions := app.signed_in(p_session_hash);
begin
  return query
    select e.account_id, e.number, e.at, e.act, e.facts, encode(e.previous, 'hex'), encode(e.hash, 'hex')
      from app.security_events e
     where e.account_id = session.account_id and (p_before is null or e.number < p_before)
     order by e.number desc limit p_limit;
end
$$;

revoke all on function app.security_events_of(bytea, integer, integer) from public;
grant execute on function app.security_events_of(bytea, integer, integer) to svc_desk;
