-- Delivering: what the worker asks and tells.
--
-- Claiming takes webhooks from the line, each for as many attempts as it has room for, and puts it back at the end: so
-- nobody's backlog comes before another's first. An attempt is counted when it is claimed, so that what ends a worker ends
-- some time too. A lease lasts three times the longest attempt; then somebody else may claim, and the token of the one
-- before ends nothing any more. All times are the database's.
-- How long to wait after a failure is decided by who knows the answer (features/webhooks/schedule.ts).
--
-- Lock: none that matters; the tables are those of 0020.

set local role svc_owner;
grant create on schema app to svc_publisher;
set local role svc_publisher;

-- Back to the line: at its end where something is due and there is room; else for when something will be.
create function app.line_up_again(p_hook app.webhooks) returns void
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

-- At most `p_most` attempts to make, of those who fail or of those who do not. A webhook that keeps an attempt waiting for
-- more than two seconds gets no other until it answers.
create function app.claim_deliveries(p_most integer, p_doubted boolean)
  returns table (id uuid, lease_token uuid, writer_id uuid, event text, attempt integer, tries integer, body bytea,
                 url text, secret bytea, former_secret bytea, doubted boolean, late double precision)
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  lease     constant interval := '45 seconds';
  most      constant integer := 10;
  moment    timestamptz := clock_timestamp();
  left_over integer := p_most;
  hook      app.webhooks;
  under_way integer;
  oldest    timestamptz;
  abandoned integer;
  first_due timestamptz;
  ping      uuid;
  room      integer;
  taken     integer;
begin
  for hook in
    select w.* from app.webhooks w
     where w.ready_at <= moment and (w.failures > 0) = p_doubted
     order by w.ready_at limit p_most for no key update skip locked
  loop
    exit when left_over <= 0;
    select count(*) filter (where d.due_at > moment), min(d.leased_at) filter (where d.due_at > moment),
           count(*) filter (where d.due_at <= moment)
      into under_way, oldest, abandoned
      from app.deliveries d
     where d.writer_id = hook.writer_id and d.lease_token is not null;
    room := case when oldest < moment - interval '2 seconds' then 0 else hook.width - under_way end;
    room := greatest(room, abandoned);
    if abandoned > 0 then
      -- Those whose worker ended half-way: the log says so. They were under way, so they come before all that waits, and
      -- need no other place.
      select min(d.due_at) - interval '1 millisecond' into first_due from app.deliveries d
       where d.writer_id = hook.writer_id and d.state = 'pending' and d.lease_token is null;
      insert into app.delivery_attempts (delivery_id, attempt, writer_id, at, url, problem)
      select d.id, d.attempts, d.writer_id, d.leased_at, hook.url, 'abandoned' from app.deliveries d
       where d.writer_id = hook.writer_id and d.lease_token is not null and d.due_at <= moment
      on conflict do nothing;
      update app.deliveries d set
        state = case when d.tries >= most then 'exhausted' when hook.state = 'live' or d.event = 'webhook.ping'
                     then 'pending' else 'held' end,
        held_at = case when d.tries < most and hook.state <> 'live' and d.event <> 'webhook.ping' then moment end,
        ended_at = case when d.tries >= most then moment end,
        due_at = least(d.leased_at, first_due), last_at = d.leased_at, last_status = null, last_problem = 'abandoned',
        lease_token = null, leased_at = null
       where d.writer_id = hook.writer_id and d.lease_token is not null and d.due_at <= moment;
    end if;
    -- Somebody looks at it: it waits neither for a place nor behind the rest.
    select d.id into ping from app.deliveries d
     where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.state = 'pending' and d.lease_token is null
       and d.due_at <= moment limit 1;
    room := least(greatest(room, (ping is not null)::integer), left_over);
    if room > 0 then
      return query
        update app.deliveries d set
          lease_token = gen_random_uuid(), leased_at = moment, due_at = moment + lease,
          attempts = d.attempts + 1, tries = d.tries + 1
          from (
            select ping as id, moment as due_at where ping is not null
            union all
            (select n.id, n.due_at from app.deliveries n
              where n.writer_id = hook.writer_id and n.state = 'pending' and n.lease_token is null and n.due_at <= moment
                and n.event <> 'webhook.ping' and (hook.rests_until is null or hook.rests_until <= moment)
              order by n.due_at limit room - (ping is not null)::integer)) as next
         where d.id = next.id
        returning d.id, d.lease_token, d.writer_id, d.event, d.attempts, d.tries, d.body, hook.url, hook.secret,
                  case when hook.former_until > moment then hook.former_secret end, hook.failures > 0,
                  extract(epoch from moment - next.due_at)::double precision;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
    end if;
    perform app.line_up_again(hook);
  end loop;
end
$$;

-- What attempts met, as a list of objects:
--   id, token, attempt, ms, url, address, sent_at, signature, status, problem, detail, answer_type, answer
--   wait      seconds until the next attempt; null where there is none
--   careful   one attempt at a time from now on
--   gone      the server wants no more: the webhook is disabled
--   echoed    the ping's challenge came back
-- Whoever holds another lease changes no delivery; the log is kept all the same. Answers who must be written to, and what
-- must be said again since something else has its webhook at this moment: nobody's answer waits for another's.
create function app.settle_deliveries(p_met jsonb) returns table (account_id uuid, letter text, again uuid)
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
      -- Too late for a piece that was unpublished meanwhile; but somebody was told of it.
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
        -- What was held by a pause, or since the house switched it off, waits for its writer's word.
        if found and hook.state = 'unproven' and hook.before_move = 'live' then
          perform app.release_deliveries(hook.writer_id);
        end if;
      end if;
    elsif hook.url = met.url and met.problem is distinct from 'sealed' then
      if met.event <> 'webhook.ping' then
        update app.webhooks w set
          width = 1, failures = w.failures + 1,
          rests_until = case when w.failures + 1 >= 10 then moment + interval '1 minute' end,
          first_failed = coalesce(w.first_failed, met.id), first_failed_at = coalesce(w.first_failed_at, moment),
          failing_since = case when w.failing_since is null and w.first_failed <> met.id
                                    and w.first_failed_at <= moment - interval '12 hours' then moment
                               else w.failing_since end
         where w.writer_id = hook.writer_id returning w.* into hook;
      end if;
      disabled := case when met.gone then 'gone'
                       when hook.failing_since <= moment - interval '5 days' then 'failing' end;
      if disabled is not null and hook.state in ('live', 'paused') then
        update app.webhooks w set state = 'disabled', disabled_for = disabled where w.writer_id = hook.writer_id;
        perform app.hold_deliveries(hook.writer_id);
        return query select w.account_id, 'webhook-' || disabled, null::uuid from app.writers w
                      where w.id = hook.writer_id and w.account_id is not null;
      elsif hook.warned_at is null and hook.failing_since <= moment - interval '1 day' then
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

-- What is done is kept for thirty days; what is held since the house switched its webhook off, too. What is held by a pause
-- stays as long as the pause. Answers how many went.
create function app.sweep_deliveries(p_limit integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  long_ago timestamptz := now() - interval '30 days';
  gone     integer;
begin
  delete from app.deliveries d where d.id in (
    select o.id from app.deliveries o
     where o.state <> 'pending' and o.created_at < long_ago and coalesce(o.held_at, o.ended_at, o.created_at) < long_ago
       and (o.state <> 'held' or not exists (
             select from app.webhooks w where w.writer_id = o.writer_id and w.state <> 'disabled'))
     limit p_limit for update skip locked);
  get diagnostics gone = row_count;
  return gone;
end
$$;

create function app.forget_former_secrets() returns void
  language sql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update app.webhooks set former_secret = null, former_until = null
     where writer_id in (select w.writer_id from app.webhooks w where w.former_until < now() for no key update skip locked)
  $$;

revoke all on function app.line_up_again(app.webhooks), app.claim_deliveries(integer, boolean),
  app.settle_deliveries(jsonb), app.sweep_deliveries(integer), app.forget_former_secrets() from public;
grant execute on function app.claim_deliveries(integer, boolean), app.settle_deliveries(jsonb),
  app.sweep_deliveries(integer), app.forget_former_secrets() to svc_worker;

set local role svc_owner;
revoke create on schema app from svc_publisher;
