set local role svc_publisher;

create or replace function app.desk_remove_webhook(p_session_hash bytea) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  hook app.webhooks := app.own_webhook(p_session_hash);
begin
  perform app.drop_deliveries(array(
    select d.id from app.deliveries d where d.writer_id = hook.writer_id and d.state in ('pending', 'held')));
  delete from app.webhooks where writer_id = hook.writer_id;
end
$$;

revoke all on function app.desk_remove_webhook(bytea) from public;
grant execute on function app.desk_remove_webhook(bytea) to svc_desk;
