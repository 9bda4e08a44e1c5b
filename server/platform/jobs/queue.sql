-- Privileges on the job queue, the function that adds a job, and what a job may query.
--
-- The tables of schema `jobs` are pg-boss's; `migrate` applies this after installing them. Idempotent.
-- All other roles have no privileges: the surfaces can neither read, change nor delete a job.
--
-- Lock: none that matters.

set local role svc_owner;

grant usage on schema jobs to svc_desk, svc_worker;
revoke all on schema jobs from svc_api;
revoke all on all tables in schema jobs from public, svc_public, svc_api, svc_desk, svc_worker, svc_publisher;
do $$
declare
  name regprocedure;
begin
  for name in select oid from pg_proc where pronamespace = 'jobs'::regnamespace and proowner = 'svc_owner'::regrole loop
    execute format('revoke all on function %s from public', name);
  end loop;
end
$$;

-- For running jobs. No privilege to create anything: `migrate` creates the queues and schedules.
grant select, insert, update, delete on jobs.job, jobs.job_common to svc_worker;
grant select, insert, update on jobs.queue to svc_worker;
grant select, update (cron_on, flow_on, monitor_backoff_on) on jobs.version to svc_worker;
grant select, update (kind, last_job_id) on jobs.schedule to svc_worker;
grant select, delete on jobs.job_dependency to svc_worker;
grant execute on function jobs.job_now(), jobs.create_queue(text, jsonb) to svc_worker;

-- Adds a job with the rules of its queue, in the caller's transaction; the workers are woken when it commits.
-- Returns null if the job runs alone and one is already waiting or running.
create or replace function jobs.add(p_name text, p_data jsonb, p_start_after timestamptz default null) returns uuid
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
declare
  -- Payloads are small: their data is in tables.
  longest   constant integer := 8192;
  rules     jobs.queue;
  new_id    uuid := gen_random_uuid();
  starts_at timestamptz := greatest(p_start_after, now());
begin
  -- Neither pg-boss's own queue nor the dead letter queue.
  select q.* into rules from jobs.queue q where q.name = p_name and q.name !~ '^(__|dead$)';
  if not found then
    raise invalid_parameter_value using message = format('there is no job %L', p_name);
  end if;
  if octet_length(p_data::text) > longest then
    raise program_limit_exceeded using message = format('a job holds at most %s bytes', longest);
  end if;

  insert into jobs.job (id, name, data, start_after, created_on, keep_until, expire_seconds, deletion_seconds,
                        retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
  values (new_id, rules.name, p_data, starts_at, now(), starts_at + rules.retention_seconds * interval '1 second',
          rules.expire_seconds, rules.deletion_seconds, rules.retry_limit, rules.retry_delay, rules.retry_backoff,
          rules.retry_delay_max, rules.policy, rules.dead_letter, rules.heartbeat_seconds)
  on conflict do nothing;
  if not found then
    return null;
  end if;

  if rules.name = 'cache.purge' then
    -- Something public changes with this transaction. Its commit waits until synchronous standbys, if there are any,
    -- show it too; and servers that read from other replicas are notified that theirs must have it.
    perform set_config('synchronous_commit', 'remote_apply', true), pg_notify('public_changes', '');
  end if;

  if rules.notify and starts_at <= now() then
    -- The channel that pg-boss listens on for this schema.
    perform pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), rules.name);
  end if;
  return new_id;
end
$$;

-- The email address of an account; null if it is deleted or barred. The worker can query one address, not read them all.
create or replace function jobs.address_of(p_account uuid) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
begin
  return (select a.email from app.accounts a where a.id = p_account and a.disabled_at is null);
end
$$;

revoke all on function jobs.add(text, jsonb, timestamptz), jobs.address_of(uuid) from public, svc_api;
grant execute on function jobs.add(text, jsonb, timestamptz) to svc_desk, svc_worker;
grant execute on function jobs.address_of(uuid) to svc_worker;
