set local role svc_publisher;

create or replace function app.desk_pause_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  if hook.state <> 'live' then
    raise exception 'error.webhook_not_active' using errcode = 'SF409';
  end if;
  update app.webhooks set state = 'paused' where writer_id = hook.writer_id;
  perform app.hold_deliveries(hook.writer_id);
end
$$;

revoke all on function app.desk_pause_webhook(bytea) from public;
grant execute on function app.desk_pause_webhook(bytea) to svc_desk;
