set local role svc_publisher;

-- Into the line, at its end; the workers are woken when this commits.
create or replace function app.line_up(p_writer uuid) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
begin
  update app.webhooks set ready_at = least(ready_at, clock_timestamp()) where writer_id = p_writer;
  perform pg_notify('deliveries', '');
end
$$;

revoke all on function app.line_up(uuid) from public;
