set local role svc_publisher;

create or replace function app.forget_former_secrets() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.webhooks set former_secret = null, former_until = null
     where writer_id in (select w.writer_id from app.webhooks w where w.former_until < now() for no key update skip locked)
  $$;

revoke all on function app.forget_former_secrets() from public;
grant execute on function app.forget_former_secrets() to svc_worker;
