set local role svc_owner;

create or replace function app.demand_allowance(p_session_hash bytea, p_piece uuid, p_first_day integer, p_first_week integer)
  returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  session app.sessions;
  age     interval;
  most    integer;
begin
  -- One at a time for each account: what is counted is what has been written.
  perform app.lock_account_of(p_session_hash);
  session := app.signed_in(p_session_hash);
  select clock_timestamp() - a.signed_up_at into age from app.accounts a where a.id = session.account_id;
  if age is null or age >= interval :'new_account_period' then
    return;
  end if;
  most := case when age < interval '1 day' then p_first_day else p_first_week end;
  if (select count(distinct t.piece_id) from app.audit t join app.writers w on w.id = t.writer_id
       where w.account_id = session.account_id and t.act = 'publish' and t.piece_id <> p_piece
         and t.at > clock_timestamp() - interval '1 day') >= most then
    raise exception 'error.new_account_limit' using errcode = 'SF419', detail = json_build_object(
      'limit', most, 'period', case when age < interval '1 day' then 'day' else 'week' end)::text;
  end if;
end
$$;

revoke all on function app.demand_allowance(bytea, uuid, integer, integer) from public;
grant execute on function app.demand_allowance(bytea, uuid, integer, integer) to svc_desk;
