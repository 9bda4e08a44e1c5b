set local role svc_owner;

create or replace function app.demand_allowance(p_session_hash bytea, p_piece uuid, p_first_day integer, p_first_week integer)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  reached json;
begin
  -- One at a time for each account.
  perform app.lock_account_of(p_session_hash);
  reached := app.reached_allowance((app.signed_in(p_session_hash)).account_id, p_piece, p_first_day, p_first_week);
  if reached is not null then
    raise exception 'error.new_account_limit' using errcode = 'SF419', detail = json_build_object(
      'limit', (reached ->> 'limit')::integer, 'period', reached ->> 'period')::text;
  end if;
end
$$;

revoke all on function app.demand_allowance(bytea, uuid, integer, integer) from public;
grant execute on function app.demand_allowance(bytea, uuid, integer, integer) to svc_desk;
