set local role svc_owner;

-- Takes one of the emails of this hour and day, or answers false where there is none left.
create or replace function app.take_sign_up_email(p_per_hour integer, p_per_day integer) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  this_hour timestamptz := date_trunc('hour', clock_timestamp(), 'UTC');
  so_far    integer;
begin
  insert into app.sign_up_emails as kept (hour, sent) values (this_hour, 1)
  on conflict (hour) do update set sent = kept.sent + 1
  returning sent into so_far;
  if so_far <= p_per_hour
     and (select sum(e.sent) from app.sign_up_emails e where e.hour > this_hour - interval '24 hours') <= p_per_day then
    return true;
  end if;
  update app.sign_up_emails e set sent = e.sent - 1 where e.hour = this_hour;
  return false;
end
$$;

revoke all on function app.take_sign_up_email(integer, integer) from public;
grant execute on function app.take_sign_up_email(integer, integer) to svc_worker;
