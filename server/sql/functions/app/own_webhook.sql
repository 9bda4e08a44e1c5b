set local role svc_publisher;

-- The writer of a session that lives, and their webhook, for this act alone until it is done.
create or replace function app.own_webhook(p_session_hash bytea) returns app.webhooks
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  mine app.writers := app.own_writer(p_session_hash);
  hook app.webhooks;
begin
  select w.* into hook from app.webhooks w where w.writer_id = mine.id for no key update;
  if not found then
    raise exception 'error.webhook_not_found' using errcode = 'SF404';
  end if;
  return hook;
end
$$;

revoke all on function app.own_webhook(bytea) from public;
