import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { getConstructionPlans, getMigrationPlans, PgBoss } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import { type Message, message } from '#messages/message.ts'
import { type Access, connectionOptions, openingError, verifyConnection } from '../db/access.ts'
import type { Database } from '../db/database.ts'
import type { WaitingJobs } from '../observability/dependencies.ts'
import { beginSpan, readTraceparent, traceparentNow, within } from '../observability/tracing.ts'

/** The only file that uses pg-boss. All of its objects are created by `migrate`, none at run time. */

/** Times are in seconds. */
export interface JobRules {
  /** Concurrency in one process. */
  readonly atOnce: number
  /** Time limit of one try. */
  readonly longest: number
  readonly retries: number
  /** Pause before the first retry; it doubles up to `longestPause`. */
  readonly pause: number
  readonly longestPause: number
  /** How long a finished job is kept. */
  readonly kept: number
  /** At most one waiting or running. */
  readonly alone?: true
}

/** The service's jobs, by name. */
export interface DeclaredJobs<Name extends string = string> {
  readonly rules: Readonly<Record<Name, JobRules>>
  /** Cron schedules in UTC. One of all worker processes enqueues each. */
  readonly schedules: readonly { readonly job: Name; readonly cron: string }[]
  /** A payload as read from the queue; undefined if it is invalid. */
  readPayload(name: Name, data: unknown): object | undefined
}

/** Retrying would not help: the job goes to the dead letter queue immediately. */
export class GiveUp extends Error {}

/** An open transaction. */
export interface JobTransaction {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

export interface AddOptions {
  readonly startAfter?: Date
}

/** Returns the id, or null if the job runs alone and one is already waiting or running. */
export async function addJob(
  tx: JobTransaction,
  name: string,
  payload: object,
  { startAfter }: AddOptions = {},
): Promise<string | null> {
  const traceparent = traceparentNow()
  const { rows } = await tx.query('select jobs.add($1, $2::jsonb, $3::timestamptz) as id', [
    name,
    JSON.stringify(traceparent ? { ...payload, traceparent } : payload),
    startAfter ?? null,
  ])
  return (rows[0] as { id: string | null }).id
}

const schema = 'jobs'
/** Dead letter queue, for inspection. No worker takes from it. */
const deadLetterQueue = 'dead'
const day = 86_400

/** A job whose process sends no heartbeat for this long is taken over. Heartbeats are sent three times in it. */
const heartbeatSeconds = 10
const heartbeatRefreshSeconds = 3
/** How often one of all processes looks for such jobs. */
const superviseIntervalSeconds = 10
/**
 * Workers are woken by NOTIFY; polling finds due retries, and everything where NOTIFY cannot be received. One query for
 * all queues: pg-boss would send one for each of thirty workers, even if nothing was written for a week.
 */
const pollInterval = { withNotify: 4000, withoutNotify: 1000 }
const pgBossPollSeconds = 300
/** At SIGTERM, for running jobs; then they are returned to the queue. */
const shutdownTimeout = 16_000

const rightsFile = new URL('./queue.sql', import.meta.url)

/** Changes whenever the result of `installQueue` does. */
export async function queueDescription({ rules: all, schedules }: DeclaredJobs): Promise<string> {
  const queues = Object.entries(all).map(([name, rules]) => [name, rules.alone, queueOptions(rules)])
  return JSON.stringify([getConstructionPlans(schema), await readFile(rightsFile, 'utf8'), queues, schedules])
}

const queueOptions = ({ longest, retries, pause, longestPause, kept }: JobRules) => ({
  expireInSeconds: longest,
  retryLimit: retries,
  retryDelay: pause,
  retryBackoff: true,
  retryDelayMax: longestPause,
  retentionSeconds: 14 * day,
  deleteAfterSeconds: kept,
  deadLetter: deadLetterQueue,
  heartbeatSeconds,
  notify: true,
})

/**
 * Installs or upgrades the tables of the queue, creates its queues and schedules, and grants privileges. Idempotent.
 */
export async function installQueue(client: pg.ClientBase, jobs: DeclaredJobs): Promise<void> {
  await client.query(`create schema if not exists ${schema} authorization svc_owner`)
  await client.query('set role svc_owner')
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    schema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await bringUpToDate(client, boss)
  await boss.start()
  try {
    await makeQueues(boss, jobs)
  } finally {
    await boss.stop({ graceful: false })
  }
  await client.query('reset role')
  await client.query(`begin; set local lock_timeout = '5s'; ${await readFile(rightsFile, 'utf8')} commit`)
}

async function bringUpToDate(client: pg.ClientBase, boss: PgBoss): Promise<void> {
  if (!(await boss.isInstalled())) {
    await client.query(getConstructionPlans(schema, { createSchema: false }))
    return
  }
  const version = await boss.schemaVersion()
  if (version === null || version >= manifest.pgboss.schema) return
  const plan = getMigrationPlans(schema, version)
  const end = plan.lastIndexOf('COMMIT;') + 'COMMIT;'.length
  await client.query(plan.slice(0, end))
  // Created CONCURRENTLY: each must be sent separately.
  for (const index of plan
    .slice(end)
    .split(/;$/m)
    .filter((statement) => statement.trim()))
    await client.query(index)
}

/** Describes what `installQueue` would change in existing tables; empty if they are current. */
export async function queueUpgrade(client: pg.ClientBase): Promise<Message[]> {
  const { rows: known } = await client.query(`select to_regclass('${schema}.version') is not null as exists`)
  if (!known[0].exists) return []
  const { rows } = await client.query<{ version: number }>(`select version from ${schema}.version`)
  const version = rows[0]?.version ?? 0
  const next = manifest.pgboss.schema
  return version < next ? [message('cli.migrate.queue', { from: version, to: next })] : []
}

async function makeQueues(boss: PgBoss, { rules: all, schedules }: DeclaredJobs): Promise<void> {
  await boss.createQueue(deadLetterQueue, { retentionSeconds: 14 * day })
  for (const [name, rules] of Object.entries(all)) {
    const options = queueOptions(rules)
    await boss.createQueue(name, { ...options, policy: rules.alone ? 'exclusive' : 'standard' })
    await boss.updateQueue(name, options)
  }
  for (const { name } of await boss.getSchedules()) {
    if (!schedules.some(({ job }) => job === name)) await boss.unschedule(name)
  }
  for (const { job, cron } of schedules) await boss.schedule(job, cron, {}, { tz: 'UTC' })
}

/** One try of a job. */
interface Attempt {
  /** The same for every try. */
  readonly id: string
  /** Aborted when the job timed out or the process is stopping. */
  readonly signal: AbortSignal
}

export type Run<Payload> = (payload: Payload, attempt: Attempt) => Promise<void>

/** Result of one try: `given_up` if there will be no other. */
export interface Outcome {
  readonly job: string
  readonly id: string
  readonly try: number
  readonly outcome: 'done' | 'failed' | 'given_up'
  readonly seconds: number
  readonly error?: unknown
}

export interface Queue {
  /** The payload is what `readPayload` made of it. */
  work(name: string, run: Run<never>): Promise<void>
  /** Takes no more jobs, waits for running ones, then returns the rest to the queue. */
  stop(): Promise<void>
}

interface QueueSettings extends Access {
  readonly jobs: DeclaredJobs
  onOutcome(outcome: Outcome): void
  /** A problem of the queue itself, which keeps running. */
  onTrouble(trouble: { readonly message: string }): void
}

export class QueueNotReady extends Error {}

const settings = { statement_timeout: '15000', jit: 'off' }
const connectionTimeoutMillis = 5000

/** pg-boss passes these on to its pool: a frozen server times out nothing, so its client must. */
const poolOf = (access: Access): object => ({
  query_timeout: 16_000,
  keepAlive: true,
  ...connectionOptions(access, settings),
  onConnect: (client: pg.ClientBase) => verifyConnection(client, access, settings, connectionTimeoutMillis),
})

export async function openQueue({ jobs, onOutcome, onTrouble, ...access }: QueueSettings): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: access.url,
    application_name: 'standfirst jobs',
    max: 4,
    connectionTimeoutMillis,
    ...poolOf(access),
    schema,
    migrate: false,
    createSchema: false,
    useListenNotify: !access.pooled,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    maintenanceIntervalSeconds: 60,
    // No job of ours depends on another, and `migrate` leaves no deferred migrations.
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    // Schedules have a resolution of one minute.
    cronWorkerIntervalSeconds: 20,
    // Only its owner can rebuild an index.
    reindex: false,
    // It compares two samples, and ours are too close together.
    monitorVacuum: false,
  })
  let stopping = false
  const onEvent = (trouble: { readonly message: string }) => {
    if (!stopping) onTrouble(trouble)
  }
  boss.on('error', onEvent)
  boss.on('warning', onEvent)
  await boss.start().catch(async (error: Error) => {
    await boss.stop({ graceful: false }).catch(() => {})
    throw /^pg-boss (is not installed|database requires)/.test(error.message)
      ? new QueueNotReady('The job queue is not of this release. Run: standfirst migrate')
      : openingError(error, access)
  })
  const workers = new Map<string, string[]>()
  const poll = async () => {
    const { rows } = await boss.getDb().executeSql(dueQueues, [])
    for (const { name } of rows as { name: string }[])
      for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }
  const polling = setInterval(
    () => poll().catch(onEvent),
    access.pooled ? pollInterval.withoutNotify : pollInterval.withNotify,
  )
  return {
    work: async (name, run) => {
      const own: string[] = []
      workers.set(name, own)
      for (let place = 0; place < jobs.rules[name]!.atOnce; place += 1)
        own.push(await startWorking(boss, jobs, name, run, onOutcome))
    },
    stop: () => {
      stopping = true
      clearInterval(polling)
      return boss.stop({ graceful: true, timeout: shutdownTimeout })
    },
  }
}

const dueQueues = `select distinct name from ${schema}.job where state < 'active' and start_after <= now() and name <> '${deadLetterQueue}'`

/** Returns the worker's id. */
async function startWorking(
  boss: PgBoss,
  jobs: DeclaredJobs,
  name: string,
  run: Run<never>,
  onOutcome: QueueSettings['onOutcome'],
): Promise<string> {
  const options = {
    pollingIntervalSeconds: pgBossPollSeconds,
    notifyPollingIntervalSeconds: pgBossPollSeconds,
    heartbeatRefreshSeconds,
    includeMetadata: true,
    perJobResults: true,
  } as const
  const worker: string = await boss.work<object, unknown, typeof options>(name, options, async ([job]) => {
    const { id, signal, retryCount, retryLimit } = job!
    // The trace context of the enqueuing request, which is not part of the payload.
    const { traceparent, ...data } = (job!.data ?? {}) as { traceparent?: unknown }
    const started = performance.now()
    const span = beginSpan({ name: `job ${name}`, kind: 'consumer', parent: readTraceparent(traceparent) })
    const report = (outcome: Outcome['outcome'], error?: unknown) => {
      const attributes = {
        'standfirst.job.id': id,
        'standfirst.job.try': retryCount + 1,
        'standfirst.outcome': outcome,
      }
      span?.end({ attributes, failure: outcome === 'done' ? undefined : outcome })
      onOutcome({
        job: name,
        id,
        try: retryCount + 1,
        outcome,
        seconds: (performance.now() - started) / 1000,
        ...(error ? { error } : {}),
      })
    }
    try {
      const payload = jobs.readPayload(name, data)
      if (payload === undefined) throw new GiveUp('the payload is not of its shape')
      await within(span, () => run(payload as never, { id, signal }))
      report('done')
      return [{ id, status: 'completed' }]
    } catch (error) {
      const isLast = error instanceof GiveUp || retryCount >= retryLimit
      report(isLast ? 'given_up' : 'failed', error)
      if (!(error instanceof GiveUp)) throw error
      return [{ id, status: 'deadletter', output: { message: error.message } }]
    } finally {
      // Looks for the next job immediately: by default pg-boss takes one job per poll.
      boss.notifyWorker(worker)
    }
  })
  return worker
}

/** Deferred jobs wait from their start time; failed ones from their creation. */
export const waitingJobsIn = (db: Database): Promise<readonly WaitingJobs[]> =>
  db.run<WaitingJobs>({
    text: `select name as job, count(*)::integer as count,
                  max(extract(epoch from now() - case state when 'retry' then created_on else start_after end))::double precision as longest
             from jobs.job
            where state < 'active' and name <> 'dead' and (state = 'retry' or start_after <= now())
            group by name`,
  })
