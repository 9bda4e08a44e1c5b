set local role svc_publisher;

-- Puts the webhook back into the queue: at its end where a delivery is due and a slot is free; otherwise for when one is due.
create or replace function app.line_up_again(p_hook app.webhooks) returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment    timestamptz := clock_timestamp();
  under_way integer;
  oldest    timestamptz;
  first_end timestamptz;
  first_due timestamptz;
begin
  select count(*), min(d.leased_at), min(d.due_at) into under_way, oldest, first_end
    from app.deliveries d
   where d.writer_id = p_hook.writer_id and d.lease_token is not null and d.due_at > moment;
  if under_way >= p_hook.width or oldest < moment - interval '2 seconds' then
    first_due := first_end;
  else
    select d.due_at into first_due from app.deliveries d
     where d.writer_id = p_hook.writer_id and d.state = 'pending' order by d.due_at limit 1;
    if first_due is not null and p_hook.rests_until > moment and not exists (
         select from app.deliveries d
          where d.writer_id = p_hook.writer_id and d.state = 'pending' and d.event = 'webhook.ping') then
      first_due := greatest(first_due, p_hook.rests_until);
    end if;
  end if;
  update app.webhooks w set ready_at = case when first_due is not null then greatest(first_due, moment) end
   where w.writer_id = p_hook.writer_id;
end
$$;

revoke all on function app.line_up_again(app.webhooks) from public;
