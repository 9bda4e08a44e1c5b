set local role svc_owner;

-- Counts a try at a password and says how to derive its proof, or how many seconds to wait instead.
-- After n wrong tries in a row from one network the next waits 2^(n-1) s, at most 15 min; over all networks an account
-- takes 20 wrong tries an hour. A device that signed in before (`p_device`) has both counts for itself.
create or replace function app.begin_sign_in(p_email text, p_network text, p_device text,
                                  out attempt uuid, out params text, out wait integer)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  account   bytea := app.attempt_key('account', p_email);
  place     bytea := case when p_device is null then app.attempt_key('network', p_network)
                          else app.attempt_key('device', p_device) end;
  moment    timestamptz;
  delayed   timestamptz;
  exhausted timestamptz;
begin
  -- One at a time for each account: what is counted is what has been written.
  perform pg_advisory_xact_lock(hashtextextended(encode(account, 'hex'), 2));
  moment := clock_timestamp();

  select max(t.at) + make_interval(secs => least(power(2, count(*) - 1), 900)) into delayed
    from app.sign_in_attempts t
   where t.account_key = account and t.place_key = place and not t.succeeded and t.at > moment - interval :'sign_in_delay_window'
     and not exists (select from app.sign_in_attempts s where s.account_key = account and s.place_key = place
                        and s.succeeded and s.at > t.at);

  select t.at + interval :'sign_in_failures_window' into exhausted
    from app.sign_in_attempts t
   where t.account_key = account and not t.succeeded and t.at > moment - interval :'sign_in_failures_window'
     and case when p_device is null then not t.known_device else t.place_key = place end
   order by t.at desc offset 19 limit 1;

  wait := greatest(ceil(extract(epoch from greatest(delayed, exhausted) - moment)), 0);
  if wait > 0 then
    return;
  end if;
  wait := 0;
  insert into app.sign_in_attempts (account_key, place_key, known_device, at)
  values (account, place, p_device is not null, moment) returning id into attempt;
  params := (select a.password_params from app.accounts a where a.email = p_email);
end
$$;

revoke all on function app.begin_sign_in(text, text, text) from public;
grant execute on function app.begin_sign_in(text, text, text) to svc_desk;
