import pg from 'pg'
import type { Config } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { WrongConnection } from '#platform/db/access.ts'
import { queueUpgrade } from '#platform/jobs/queue.ts'
import { migrate, missingMigrations } from '#sql/migrate.ts'
import { type PlannedStep, planOf, sizesOf, type TableSize } from '#sql/migration-locks.ts'
import { changedSqlFiles, lockOf, readSqlFiles } from '#sql/sql-files.ts'
import { CommandError, ownerUrl } from './command-support.ts'
import { formatBytes, formatDuration } from './format.ts'

const t = cliTranslator()

export async function migrateSite(config: Config): Promise<void> {
  const url = ownerUrl(config)
  const pooledBy = config.POOLER === 'none' ? undefined : config.TIMEOUT_FACTOR
  const applied = await migrate(url, (line) => console.log(line), pooledBy).catch((error: unknown) => {
    if (error instanceof WrongConnection) throw new CommandError(error.message)
    throw notPermitted(error, decodeURIComponent(new URL(url).username))
  })
  console.log(t('cli.migrate.up_to_date', { count: applied.length }))
}

/** Roles belong to the cluster: if another site created them, its owner may not grant them. */
function notPermitted(error: unknown, owner: string): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== '42501') return error
  return new CommandError(
    t('cli.migrate.not_permitted', {
      reason: message ?? code,
      createRole: `alter role "${owner}" createrole`,
      grant: `grant svc_owner, svc_publisher, svc_public, svc_api, svc_desk, svc_worker to "${owner}"`,
    }),
  )
}

/** `standfirst migrate --plan`: what `migrate` would lock here, and for how long. Changes nothing. */
export async function planMigrations(config: Config): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl(config), connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const missing = await missingMigrations(client)
    for (const line of await queueUpgrade(client)) console.log(t.say(line))
    for (const migration of missing) {
      console.log(migration.name)
      const steps = await planOf(client, migration)
      if (!steps) console.log(`  ${t('cli.migrate.not_measured', { command: 'npm run db:locks' })}`)
      for (const [at, step] of (steps ?? []).entries()) {
        const place = steps!.length > 1 ? [t('cli.migrate.step', { step: at + 1, steps: steps!.length })] : []
        console.log(`  ${[...place, describe(step)].join(' ')}`)
      }
    }
    const changed = await changedSqlFiles(client, await readSqlFiles())
    for (const file of changed) {
      const lock = lockOf(file)
      if (!lock) continue
      const sizes = await sizesOf(client, [lock.table])
      console.log(file.path)
      console.log(`  ${describe({ kind: 'once', locks: { [lock.table]: lock.mode }, reads: [], sizes })}`)
    }
    const functions = changed.filter((file) => !lockOf(file)).length
    if (functions > 0) console.log(t('cli.migrate.functions', { count: functions }))
    console.log(
      missing.length + changed.length === 0
        ? t('cli.migrate.up_to_date', { count: 0 })
        : t('cli.migrate.plan_explained', { size: formatBytes(bytesPerSecond), rows: batchedRowsPerSecond }),
    )
  } finally {
    await client.end()
  }
}

/** A slow cloud disk. From memory, checks and indexes of 213 MB ran at 300 to 1,300 MB a second. */
const bytesPerSecond = 50e6
/** Half of the time is left to others. A table with two indexes in memory reached 12,000. */
const batchedRowsPerSecond = 3000

/** What each lock blocks, strongest first. */
const effects = {
  AccessExclusiveLock: 'blocks_all',
  ExclusiveLock: 'blocks_writes',
  ShareRowExclusiveLock: 'blocks_writes',
  ShareLock: 'blocks_writes',
  ShareUpdateExclusiveLock: 'blocks_nothing',
  RowExclusiveLock: 'locks_changed_rows',
  RowShareLock: 'locks_named_rows',
} as const

export function describe({ kind, locks, reads, sizes }: PlannedStep): string {
  const locked = Object.entries(locks).filter(([name]) => sizes.has(name))
  if (locked.length === 0) return t('cli.migrate.locks_nothing')
  const names = (mode: string) =>
    locked.filter(([, own]) => own === mode).map(([name]) => tableWithSize(name, sizes.get(name)!))
  const lines = (Object.keys(effects) as (keyof typeof effects)[])
    .map((mode) => ({ mode, tables: names(mode) }))
    .filter(({ tables }) => tables.length > 0)
    .map(({ mode, tables }) =>
      t('cli.migrate.lock', { lock: sqlName(mode), tables: t.list(tables), effect: effects[mode] }),
    )
  return [t('cli.migrate.how', { kind }), ...lines, duration(kind, reads, sizes)].join(' ')
}

/** AccessExclusiveLock becomes ACCESS EXCLUSIVE. */
const sqlName = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

const tableWithSize = (name: string, { rows, bytes }: TableSize): string =>
  t('cli.migrate.table_size', { name, rows, size: formatBytes(bytes) })

function duration(kind: PlannedStep['kind'], reads: readonly string[], sizes: PlannedStep['sizes']): string {
  const read = reads.flatMap((name) => sizes.get(name) ?? [])
  const bytes = read.reduce((sum, one) => sum + one.bytes, 0)
  if (kind === 'batch') {
    const rows = read.reduce((sum, one) => sum + one.rows, 0)
    return t('cli.migrate.takes_batches', { time: formatEstimate(rows / batchedRowsPerSecond) })
  }
  if (kind === 'alone') return t('cli.migrate.takes_alone', { time: formatEstimate((2 * bytes) / bytesPerSecond) })
  return read.length === 0
    ? t('cli.migrate.takes_instant')
    : t('cli.migrate.takes_scan', {
        tables: t.list(reads.filter((name) => sizes.has(name))),
        time: formatEstimate(bytes / bytesPerSecond),
      })
}

const formatEstimate = (seconds: number): string =>
  seconds < 1
    ? t('cli.migrate.under_a_second')
    : t('cli.migrate.about', {
        time: formatDuration(seconds < 120 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60),
      })
