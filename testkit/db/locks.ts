import pg from 'pg'
import { makeNotes, makeRoles, readMigrations } from '../../server/platform/db/migrate.ts'
import type { MigrationLocks, StepLocks } from '../../server/platform/db/migration-locks.ts'
import { type Step, stepsOf } from '../../server/platform/db/migration-steps.ts'
import { installQueue } from '../../server/platform/jobs/queue.ts'

/** What each step of each migration locks and reads whole, as PostgreSQL tells it just before the step is committed. */

export const locksFile = new URL('../../server/platform/db/migration-locks.json', import.meta.url)

/** With those of its indexes: on an empty table the planner takes one or the other, and both may read all of it. */
const tables = `
  select rel.oid::regclass::text as name,
         (pg_stat_get_xact_numscans(rel.oid) + coalesce(sum(pg_stat_get_xact_numscans(indexrelid)), 0))::integer as scans
    from pg_class rel join pg_namespace n on n.oid = relnamespace left join pg_index on indrelid = rel.oid
   where relkind in ('r', 'p') and nspname in ('app', 'pub', 'search', 'jobs')
   group by rel.oid`

/** A table that is only read hinders nobody. */
const modes = `
  select relation::regclass::text as name, array_agg(mode) as modes from pg_locks
   where pid = pg_backend_pid() and locktype = 'relation' and granted and mode <> 'AccessShareLock'
   group by relation`

/** Weakest first. */
const strength = [
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]

async function scansIn(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; scans: number }>(tables)
  return new Map(rows.map(({ name, scans }) => [name, scans]))
}

/** Applies one step. Tables that it makes itself are nobody's yet. */
export async function measureStep(client: pg.Client, step: Step): Promise<StepLocks> {
  if (step.kind === 'alone') {
    await client.query(step.text)
    return {
      locks: step.table ? { [step.table]: 'ShareUpdateExclusiveLock' } : {},
      reads: step.table ? [step.table] : [],
    }
  }
  await client.query('begin')
  const before = await scansIn(client)
  await client.query(step.text.replaceAll(':batch', '1'))
  await client.query('reset role')
  const after = await scansIn(client)
  const { rows } = await client.query<{ name: string; modes: string[] }>(modes)
  await client.query('commit')
  const locks = rows
    .filter(({ name }) => before.has(name))
    .map(({ name, modes }) => [name, strength.findLast((mode) => modes.includes(mode))!] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const reads = [...before.keys()].filter((name) => after.has(name) && after.get(name)! > before.get(name)!)
  return { locks: Object.fromEntries(locks), reads: reads.sort() }
}

/** Of every migration, applied to an empty database. */
export async function measureLocks(url: string): Promise<MigrationLocks> {
  await makeRoles(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await makeNotes(client)
    await installQueue(client)
    const measured: Record<string, StepLocks[]> = {}
    for (const migration of await readMigrations()) {
      const steps: StepLocks[] = []
      for (const step of stepsOf(migration)) steps.push(await measureStep(client, step))
      measured[migration.name] = steps
      // A later one may act as the publisher, whose rights are in the policies, which are applied last.
      await client.query('grant all on all tables in schema app, pub, search to svc_publisher')
    }
    return measured
  } finally {
    await client.end()
  }
}
