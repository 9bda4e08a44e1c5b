set local role svc_publisher;

-- What attempts met, as a list of objects:
--   id, token, attempt, ms, url, address, sent_at, signature, status, problem, detail, answer_type, answer
--   wait      seconds until the next attempt; null where there is none
--   careful   one attempt at a time from now on
--   gone      the server wants no more: the webhook is disabled
--   echoed    the ping's challenge came back
-- A worker whose lease was taken over changes no delivery; its log entries are kept all the same. Answers who must be written to, and what
-- must be said again since something else has its webhook at this moment: nobody's answer waits for another's.
create or replace function app.settle_deliveries(p_met jsonb) returns table (account_id uuid, letter text, again uuid)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  moment   timestamptz := clock_timestamp();
  met      record;
  hook     app.webhooks;
  touched  uuid[] := '{}';
  disabled text;
begin
  for met in
    select m.*, d.writer_id, d.event, coalesce(m.status between 200 and 299, false) as is_good
      from jsonb_to_recordset(p_met) as m (id uuid, token uuid, attempt integer, ms integer, url text,
             address inet, sent_at bigint, signature text, status integer, problem text, detail text, answer_type text,
             answer text, wait double precision, careful boolean, gone boolean, echoed boolean)
           join app.deliveries d on d.id = m.id
     order by d.writer_id, m.id
  loop
    select w.* into hook from app.webhooks w where w.writer_id = met.writer_id for no key update skip locked;
    if not found and exists (select from app.webhooks w where w.writer_id = met.writer_id) then
      again := met.id;
      return next;
      again := null;
      continue;
    end if;
    insert into app.delivery_attempts (delivery_id, attempt, writer_id, at, ms, url, address, sent_at, signature, status,
                                       problem, detail, answer_type, answer)
    values (met.id, met.attempt, met.writer_id, moment - make_interval(secs => met.ms / 1000.0), met.ms, met.url,
            met.address, met.sent_at, met.signature, met.status, met.problem, met.detail, met.answer_type, met.answer)
    on conflict on constraint delivery_attempts_pkey do update set
      ms = excluded.ms, address = excluded.address, sent_at = excluded.sent_at, signature = excluded.signature,
      status = excluded.status, problem = excluded.problem, detail = excluded.detail,
      answer_type = excluded.answer_type, answer = excluded.answer;

    update app.deliveries d set
      state = case when met.is_good then 'delivered' when met.wait is null then 'exhausted'
                   when hook.state = 'live' and not coalesce(met.gone, false) then 'pending' else 'held' end,
      held_at = case when not met.is_good and met.wait is not null and (hook.state <> 'live' or met.gone) then moment end,
      ended_at = case when met.is_good or met.wait is null then moment end,
      due_at = moment + make_interval(secs => coalesce(met.wait, 0)),
      lease_token = null, leased_at = null, last_at = moment, last_status = met.status, last_problem = met.problem
     -- Spelt so that it is found by its id: by `=` the planner reads every lease there is.
     where d.id = met.id and d.lease_token is not distinct from met.token and met.token is not null;
    if not found then
      -- Too late for a piece that was unpublished meanwhile; but it was delivered.
      update app.deliveries d set last_at = moment, last_status = met.status, last_problem = met.problem
       where d.id = met.id and d.state = 'cancelled';
      continue;
    end if;
    continue when hook.writer_id is null;
    touched := touched || hook.writer_id;

    if met.is_good then
      update app.webhooks w set
        width = least(w.width + 1, 4), failures = 0, rests_until = null, first_failed = null, first_failed_at = null,
        failing_since = null, warned_at = null
       where w.writer_id = hook.writer_id and (w.width < 4 or w.failures > 0 or w.first_failed is not null);
      if met.event = 'webhook.ping' then
        update app.webhooks w set
          state = case when 'paused' in (w.state, case when w.state = 'unproven' then w.before_move end) then 'paused'
                       else 'live' end,
          disabled_for = null, before_move = null,
          live_since = coalesce(w.live_since, moment), proven_at = coalesce(w.proven_at, moment),
          owner_proven_at = case when met.echoed then coalesce(w.owner_proven_at, moment) else w.owner_proven_at end
         where w.writer_id = hook.writer_id and w.url = met.url;
        -- What was held by a pause, or since the site switched it off, waits for its writer's word.
        if found and hook.state = 'unproven' and hook.before_move = 'live' then
          perform app.release_deliveries(hook.writer_id);
        end if;
      end if;
    elsif hook.url = met.url and met.problem is distinct from 'sealed' then
      if met.event <> 'webhook.ping' then
        update app.webhooks w set
          width = 1, failures = w.failures + 1,
          rests_until = case when w.failures + 1 >= :webhook_failures_before_rest then moment + interval :'webhook_rest' end,
          first_failed = coalesce(w.first_failed, met.id), first_failed_at = coalesce(w.first_failed_at, moment),
          failing_since = case when w.failing_since is null and w.first_failed <> met.id
                                    and w.first_failed_at <= moment - interval :'webhook_failing_after' then moment
                               else w.failing_since end
         where w.writer_id = hook.writer_id returning w.* into hook;
      end if;
      disabled := case when met.gone then 'gone'
                       when hook.failing_since <= moment - interval :'webhook_disabled_after' then 'failing' end;
      if disabled is not null and hook.state in ('live', 'paused') then
        update app.webhooks w set state = 'disabled', disabled_for = disabled where w.writer_id = hook.writer_id;
        perform app.hold_deliveries(hook.writer_id);
        return query select w.account_id, 'webhook-' || disabled, null::uuid from app.writers w
                      where w.id = hook.writer_id and w.account_id is not null;
      elsif hook.warned_at is null and hook.failing_since <= moment - interval :'webhook_warned_after' then
        update app.webhooks w set warned_at = moment where w.writer_id = hook.writer_id;
        return query select w.account_id, 'webhook-warning'::text, null::uuid from app.writers w
                      where w.id = hook.writer_id and w.account_id is not null;
      end if;
    end if;
    if met.careful then
      update app.webhooks w set width = 1 where w.writer_id = hook.writer_id;
    end if;
  end loop;

  for hook in select w.* from app.webhooks w where w.writer_id = any (touched) order by w.writer_id loop
    perform app.line_up_again(hook);
  end loop;
end
$$;

revoke all on function app.settle_deliveries(jsonb) from public;
grant execute on function app.settle_deliveries(jsonb) to svc_worker;
