set local role svc_publisher;

-- The same bytes under the same id, now. Of what is still public alone; not while it is under way, and each once in ten
-- seconds. Answers how many.
create or replace function app.desk_resend(p_session_hash bytea, p_delivery uuid, p_from timestamptz, p_to timestamptz,
                                p_only_failed boolean) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- By one act; another takes the next.
  most   constant integer := 1000;
  hook   app.webhooks := app.own_webhook(p_session_hash);
  chosen integer;
begin
  if hook.state <> 'live' then
    raise exception 'error.webhook_inactive' using errcode = 'SF409';
  end if;
  update app.deliveries d set
    state = 'pending', held_at = null, tries = 0, due_at = clock_timestamp(), ended_at = null,
    resent_at = clock_timestamp()
   where d.id in (
    select w.id from app.deliveries w
     where w.writer_id = hook.writer_id and w.event = 'piece.published' and w.body is not null and w.lease_token is null
       and (w.id = p_delivery or w.created_at between p_from and p_to)
       and (not p_only_failed or w.state in ('exhausted', 'held'))
       and (w.resent_at is null or w.resent_at < clock_timestamp() - interval :'resend_interval')
       and exists (select from pub.pieces p where p.id = w.piece_id)
     order by w.created_at, w.id limit most);
  get diagnostics chosen = row_count;
  if chosen > 0 then
    perform app.line_up(hook.writer_id);
  end if;
  return chosen;
end
$$;

revoke all on function app.desk_resend(bytea, uuid, timestamp with time zone, timestamp with time zone, boolean) from public;
grant execute on function app.desk_resend(bytea, uuid, timestamp with time zone, timestamp with time zone, boolean) to svc_desk;
