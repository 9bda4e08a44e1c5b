set local role svc_publisher;

create or replace function app.desk_ping(p_session_hash bytea, p_id uuid, p_body bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook  app.webhooks := app.own_webhook(p_session_hash);
  hour  integer;
  since timestamptz;
begin
  select count(*), max(d.created_at) into hour, since from app.deliveries d
   where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.created_at > clock_timestamp() - interval '1 hour';
  if hour >= :pings_per_hour then
    raise exception 'error.tests_per_hour' using errcode = 'SF419', detail = '{"limit":60}';
  end if;
  -- A new address is asked at once.
  if since >= greatest(hook.url_given_at, clock_timestamp() - interval :'ping_interval') then
    raise exception 'error.test_too_soon' using errcode = 'SF419';
  end if;
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d
     where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.state = 'pending'));
  insert into app.deliveries (id, writer_id, event, sequence, state, body)
  values (p_id, hook.writer_id, 'webhook.ping', 0, 'pending', p_body);
  perform app.line_up(hook.writer_id);
end
$$;

revoke all on function app.desk_ping(bytea, uuid, bytea) from public;
grant execute on function app.desk_ping(bytea, uuid, bytea) to svc_desk;
