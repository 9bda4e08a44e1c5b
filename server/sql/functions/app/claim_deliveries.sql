set local role svc_publisher;

-- At most `p_most` attempts to make, of those who fail or of those who do not. A webhook that keeps an attempt waiting for
-- more than two seconds gets no other until it answers.
create or replace function app.claim_deliveries(p_most integer, p_doubted boolean)
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
  slots      integer;
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
    slots := case when oldest < moment - interval '2 seconds' then 0 else hook.width - under_way end;
    slots := greatest(slots, abandoned);
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
    -- A person waits for a ping: it needs no free slot and goes before the rest.
    select d.id into ping from app.deliveries d
     where d.writer_id = hook.writer_id and d.event = 'webhook.ping' and d.state = 'pending' and d.lease_token is null
       and d.due_at <= moment limit 1;
    slots := least(greatest(slots, (ping is not null)::integer), left_over);
    if slots > 0 then
      return query
        -- Found once, as in app.claim_reader_emails.
        with next as materialized (
          select ping as id, moment as due_at where ping is not null
          union all
          (select n.id, n.due_at from app.deliveries n
            where n.writer_id = hook.writer_id and n.state = 'pending' and n.lease_token is null and n.due_at <= moment
              and n.event <> 'webhook.ping' and (hook.rests_until is null or hook.rests_until <= moment)
            order by n.due_at limit slots - (ping is not null)::integer)
        ), claimed as (
          update app.deliveries d set
            lease_token = gen_random_uuid(), leased_at = moment, due_at = moment + lease,
            attempts = d.attempts + 1, tries = d.tries + 1
           where d.id = any (array(select n.id from next n))
          returning d.*
        )
        select c.id, c.lease_token, c.writer_id, c.event, c.attempts, c.tries, c.body, hook.url, hook.secret,
               case when hook.former_until > moment then hook.former_secret end, hook.failures > 0,
               extract(epoch from moment - n.due_at)::double precision
          from claimed c join next n on n.id = c.id;
      get diagnostics taken = row_count;
      left_over := left_over - taken;
    end if;
    perform app.line_up_again(hook);
  end loop;
end
$$;

revoke all on function app.claim_deliveries(integer, boolean) from public;
grant execute on function app.claim_deliveries(integer, boolean) to svc_worker;
