set local role svc_publisher;

-- What was published meanwhile goes out now.
create or replace function app.desk_resume_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  if hook.state <> 'paused' then
    raise exception 'error.webhook_not_paused' using errcode = 'SF409';
  end if;
  update app.webhooks set state = 'live' where writer_id = hook.writer_id;
  perform app.release_deliveries(hook.writer_id);
end
$$;

revoke all on function app.desk_resume_webhook(bytea) from public;
grant execute on function app.desk_resume_webhook(bytea) to svc_desk;
