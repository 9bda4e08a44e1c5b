set local role svc_owner;

-- What became of deliveries, as a list of objects: id, token, activity, kind, outcome, is_up (whether the host takes deliveries;
-- null if that is not known) and, where they apply, wait in seconds and the kind of signature that was accepted.
--   sent   the inbox has it
--   later  tried again after `wait`; given up without one, until there is something new about the object
--   void   there is nothing to send any more
--   ended  there is no such inbox any more, and has not been for days: nobody follows from there
-- A worker whose lease was taken over changes nothing.
create or replace function app.settle_fediverse_deliveries(p_met jsonb) returns void
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment  timestamptz := clock_timestamp();
  met     record;
  current text;
  one     app.fediverse_deliveries;
  is_done boolean;
begin
  for met in
    select m.*, d.host
      from jsonb_to_recordset(p_met) as m (id uuid, token uuid, activity uuid, kind text, outcome text, is_up boolean,
                                           wait double precision, signature text)
           join app.fediverse_deliveries d on d.id = m.id
     order by d.host, m.id
  loop
    if met.host is distinct from current then
      if current is not null then
        perform app.line_up_fediverse_host_again(current);
      end if;
      current := met.host;
      perform app.line_up_fediverse_host(current, moment);
    end if;

    select d.* into one from app.fediverse_deliveries d where d.id = met.id and d.lease_token = met.token for update;
    continue when not found;
    -- Something new may have come meanwhile. A Create that arrived when an earlier one may have arrived is followed by the
    -- change: who had it already ignores the second.
    is_done := one.activity_id = met.activity
               and not (met.kind = 'create' and met.outcome = 'sent' and one.first_tried <> met.activity);
    if met.outcome = 'ended' then
      delete from app.fediverse_followers f where coalesce(f.shared_inbox, f.inbox) = one.inbox;
      delete from app.fediverse_deliveries d where d.inbox = one.inbox;
    elsif met.outcome in ('sent', 'void') and (one.object_id is null or (met.kind = 'delete' and met.outcome = 'sent')) then
      delete from app.fediverse_deliveries d where d.id = one.id;
    elsif met.outcome = 'later' and met.wait is not null then
      update app.fediverse_deliveries d set due_at = moment + make_interval(secs => met.wait), lease_token = null
       where d.id = one.id;
    elsif met.outcome = 'later' and one.object_id is null then
      delete from app.fediverse_deliveries d where d.id = one.id;
    else
      update app.fediverse_deliveries d set
        has = case when met.outcome = 'sent' then 'something' else d.has end,
        activity_id = case when not is_done then d.activity_id end, due_at = case when not is_done then moment end,
        attempts = 0, lease_token = null
       where d.id = one.id;
    end if;

    if met.is_up then
      update app.fediverse_hosts h set
        width = least(h.width + 1, 4), failures = 0, rests_until = null, signature = coalesce(met.signature, h.signature)
       where h.host = current
         and (h.width < 4 or h.failures > 0 or h.rests_until is not null or h.signature is distinct from met.signature);
    elsif not met.is_up then
      update app.fediverse_hosts h set
        width = 1, failures = least(h.failures + 1, 20),
        rests_until = moment + least(interval '1 second' * (2 ^ least(h.failures, 10)), interval '15 minutes')
       where h.host = current and coalesce(h.rests_until <= moment, true);
    end if;
  end loop;
  if current is not null then
    perform app.line_up_fediverse_host_again(current);
  end if;
end
$$;

revoke all on function app.settle_fediverse_deliveries(jsonb) from public;
grant execute on function app.settle_fediverse_deliveries(jsonb) to svc_worker;
