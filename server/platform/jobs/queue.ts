import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { getConstructionPlans, getMigrationPlans, PgBoss } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import { type Access, startingWith } from '../db/access.ts'
import { openingError, verifyConnection } from '../db/verify.ts'
import { readTraceparent } from '../observability/trace-context.ts'
import { beginSpan, within } from '../observability/tracing.ts'
import { GiveUp, isPayload, type JobName, type JobRules, type Jobs, jobRules, schedules } from './jobs.ts'

/** The only file that knows pg-boss. What is made is made by `migrate`; at run time nothing is. */

const schema = 'jobs'
/** Where jobs go that were given up, to be looked at. Nobody works on them. */
const dead = 'dead'
const day = 86_400

/** A job whose process no longer says that it lives is retaken. Said three times in that time. */
const heartbeatSeconds = 10
const heartbeatRefreshSeconds = 3
/** How often one process of all looks for such jobs. */
const superviseIntervalSeconds = 10
/**
 * Workers are woken by NOTIFY; looking finds retries that have come due, and everything where NOTIFY cannot be heard. One
 * question for all queues: pg-boss would ask for each of thirty workers, also where nobody has written for a week.
 */
const lookEvery = { hearing: 4000, deaf: 1000 }
const ownLookSeconds = 300
/** At SIGTERM, for what is under way; then it is given back. */
const longestFarewell = 16_000

const rightsFile = new URL('./queue.sql', import.meta.url)

/** Changes whenever what `installQueue` makes does. */
export async function queueDescription(): Promise<string> {
  const queues = Object.entries(jobRules).map(([name, rules]) => [name, rules.alone, queueOptions(rules)])
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
  deadLetter: dead,
  heartbeatSeconds,
  notify: true,
})

/** Installs or upgrades the queue's tables, makes its queues and schedules, and grants the rights on them. Idempotent. */
export async function installQueue(client: pg.ClientBase): Promise<void> {
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
    await makeQueues(boss)
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
  // Built CONCURRENTLY: each must be sent alone.
  for (const index of plan
    .slice(end)
    .split(/;$/m)
    .filter((statement) => statement.trim()))
    await client.query(index)
}

/** What `installQueue` would do to tables that are there, in a sentence; nothing where they are of this release. */
export async function queueUpgrade(client: pg.ClientBase): Promise<string[]> {
  const { rows: known } = await client.query(`select to_regclass('${schema}.version') is not null as exists`)
  if (!known[0].exists) return []
  const { rows } = await client.query<{ version: number }>(`select version from ${schema}.version`)
  const version = rows[0]?.version ?? 0
  const next = manifest.pgboss.schema
  return version < next
    ? [`The job queue goes from version ${version} to ${next}, by locks on its own tables: jobs wait meanwhile.`]
    : []
}

async function makeQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(dead, { retentionSeconds: 14 * day })
  for (const [name, rules] of Object.entries(jobRules)) {
    const options = queueOptions(rules)
    await boss.createQueue(name, { ...options, policy: rules.alone ? 'exclusive' : 'standard' })
    await boss.updateQueue(name, options)
  }
  for (const { name } of await boss.getSchedules()) {
    if (!schedules.some(({ job }) => job === name)) await boss.unschedule(name)
  }
  for (const { job, cron } of schedules) await boss.schedule(job, cron, {}, { tz: 'UTC' })
}

/** One try at a job. */
interface Attempt {
  /** The same at every try. */
  readonly id: string
  /** Aborted when the job has been taken away: it took too long, or the process is stopping. */
  readonly signal: AbortSignal
}

export type Run<Name extends JobName> = (payload: Jobs[Name], attempt: Attempt) => Promise<void>

/** What became of one try: `given_up` if there will be no other. */
export interface Outcome {
  readonly job: JobName
  readonly id: string
  readonly try: number
  readonly outcome: 'done' | 'failed' | 'given_up'
  readonly seconds: number
  readonly error?: unknown
}

export interface Queue {
  work<Name extends JobName>(name: Name, run: Run<Name>): Promise<void>
  /** Takes no more jobs, waits for those under way, then gives back what is not done. */
  stop(): Promise<void>
}

interface QueueSettings extends Access {
  onOutcome(outcome: Outcome): void
  /** Something about the queue itself, which goes on. */
  onTrouble(trouble: { readonly message: string }): void
}

export class QueueNotReady extends Error {}

const settings = { statement_timeout: '15000', jit: 'off' }
const connectionTimeoutMillis = 5000

/** For the pool, to which pg-boss hands on what it does not know: a frozen server ends nothing, so its client must. */
const poolOf = (access: Access): object => ({
  query_timeout: 16_000,
  keepAlive: true,
  ...startingWith(access, settings),
  onConnect: (client: pg.ClientBase) => verifyConnection(client, access, settings, connectionTimeoutMillis),
})

export async function openQueue({ onOutcome, onTrouble, ...access }: QueueSettings): Promise<Queue> {
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
    // No job of ours waits for another, and `migrate` leaves nothing to be migrated later.
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    // Schedules are by the minute.
    cronWorkerIntervalSeconds: 20,
    // Rebuilding an index takes its owner.
    reindex: false,
    // It compares two looks, and ours are too close together to tell anything.
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
  const look = async () => {
    const { rows } = await boss.getDb().executeSql(dueQueues, [])
    for (const { name } of rows as { name: string }[])
      for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }
  const looking = setInterval(() => look().catch(onEvent), access.pooled ? lookEvery.deaf : lookEvery.hearing)
  return {
    work: async (name, run) => {
      const own: string[] = []
      workers.set(name, own)
      for (let place = 0; place < jobRules[name].atOnce; place += 1)
        own.push(await startWorking(boss, name, run, onOutcome))
    },
    stop: () => {
      stopping = true
      clearInterval(looking)
      return boss.stop({ graceful: true, timeout: longestFarewell })
    },
  }
}

const dueQueues = `select distinct name from ${schema}.job where state < 'active' and start_after <= now() and name <> '${dead}'`

/** Answers with the worker's id. */
async function startWorking<Name extends JobName>(
  boss: PgBoss,
  name: Name,
  run: Run<Name>,
  onOutcome: QueueSettings['onOutcome'],
): Promise<string> {
  const options = {
    pollingIntervalSeconds: ownLookSeconds,
    notifyPollingIntervalSeconds: ownLookSeconds,
    heartbeatRefreshSeconds,
    includeMetadata: true,
    perJobResults: true,
  } as const
  const worker: string = await boss.work<object, unknown, typeof options>(name, options, async ([job]) => {
    const { id, signal, retryCount, retryLimit } = job!
    // Who ordered it may have been traced; that is not the job's affair.
    const { traceparent, ...data } = (job!.data ?? {}) as { traceparent?: unknown }
    const started = performance.now()
    const span = beginSpan({ name: `job ${name}`, kind: 'consumer', parent: readTraceparent(traceparent) })
    const tell = (outcome: Outcome['outcome'], error?: unknown) => {
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
      if (!isPayload(name, data)) throw new GiveUp('the payload is not of its shape')
      await within(span, () => run(data, { id, signal }))
      tell('done')
      return [{ id, status: 'completed' }]
    } catch (error) {
      const isLast = error instanceof GiveUp || retryCount >= retryLimit
      tell(isLast ? 'given_up' : 'failed', error)
      if (!(error instanceof GiveUp)) throw error
      return [{ id, status: 'deadletter', output: { message: error.message } }]
    } finally {
      // Looks for the next at once: left alone, pg-boss takes one job each time it polls.
      boss.notifyWorker(worker)
    }
  })
  return worker
}
