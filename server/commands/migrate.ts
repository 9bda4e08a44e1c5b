import pg from 'pg'
import type { Config } from '#config/config.ts'
import { WrongConnection } from '#platform/db/access.ts'
import { queueUpgrade } from '#platform/jobs/queue.ts'
import { migrate, missingMigrations } from '#sql/migrate.ts'
import { type PlannedStep, planOf, sizesOf, type TableSize } from '#sql/migration-locks.ts'
import { changedSqlFiles, lockOf, readSqlFiles } from '#sql/sql-files.ts'
import { sizeInWords } from './backup/checksums.ts'
import { CommandError, ownerUrl } from './command-support.ts'

export async function migrateSite(config: Config): Promise<void> {
  const url = ownerUrl(config)
  const pooledBy = config.POOLER === 'none' ? undefined : config.TIMEOUT_FACTOR
  const applied = await migrate(url, (line) => console.log(line), pooledBy).catch((error: unknown) => {
    if (error instanceof WrongConnection) throw new CommandError(error.message)
    throw notPermitted(error, decodeURIComponent(new URL(url).username))
  })
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `The database is up to date: ${applied.length} applied.`,
  )
}

/** Roles belong to the cluster: if another site created them, its owner may not grant them. */
function notPermitted(error: unknown, owner: string): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== '42501') return error
  return new CommandError(
    `PostgreSQL refuses the owner in DATABASE_URL: ${message}. It must own its database and may need to create roles: alter role "${owner}" createrole. Where a site on this server has made the roles already, a superuser hands them on: grant svc_owner, svc_publisher, svc_public, svc_api, svc_desk, svc_worker to "${owner}".`,
  )
}

/** `standfirst migrate --plan`: what `migrate` would lock here, and for how long. Changes nothing. */
export async function planMigrations(config: Config): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl(config), connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const missing = await missingMigrations(client)
    for (const line of await queueUpgrade(client)) console.log(line)
    for (const migration of missing) {
      console.log(migration.name)
      const steps = await planOf(client, migration)
      if (!steps) console.log('  Nobody has measured what it locks: npm run db:locks')
      for (const [at, step] of (steps ?? []).entries()) {
        const place = steps!.length > 1 ? `step ${at + 1} of ${steps!.length}, ` : ''
        console.log(`  ${place}${describe(step)}`)
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
    if (functions > 0) console.log(`Functions that change: ${functions}, in one transaction that locks no table.`)
    console.log(missing.length + changed.length === 0 ? 'The database is up to date.' : waiting)
  } finally {
    await client.end()
  }
}

const waiting =
  'For each lock it waits 0.2 s at a time, with others behind it, then lets them pass and tries again. Times are for 50 MB or 3,000 changed rows a second.'

/** A slow cloud disk. From memory, checks and indexes of 213 MB ran at 300 to 1,300 MB a second. */
const bytesPerSecond = 50e6
/** Half of the time is left to others. A table with two indexes in memory reached 12,000. */
const batchedRowsPerSecond = 3000

const hindered: Readonly<Record<string, string>> = {
  AccessExclusiveLock: 'nobody reads or writes',
  ExclusiveLock: 'nobody writes',
  ShareRowExclusiveLock: 'nobody writes',
  ShareLock: 'nobody writes',
  ShareUpdateExclusiveLock: 'reads and writes go on',
  RowExclusiveLock: 'only rows that it changes are locked',
  RowShareLock: 'only rows that it names are locked',
}

export function describe({ kind, locks, reads, sizes }: PlannedStep): string {
  const locked = Object.entries(locks).filter(([name]) => sizes.has(name))
  if (locked.length === 0) return 'locks nothing that is there.'
  const names = (mode: string) =>
    locked.filter(([, own]) => own === mode).map(([name]) => `${name} (${tableSizeInWords(sizes.get(name)!)})`)
  const parts = Object.entries(hindered)
    .map(([mode, effect]) => [mode, effect, names(mode)] as const)
    .filter(([, , tables]) => tables.length > 0)
    .map(([mode, effect, tables]) => `${sqlName(mode)} on ${tables.join(', ')}: ${effect}`)
  return `${how[kind]} ${parts.join('; ')}. ${lasting(kind, reads, sizes)}`
}

const how = { once: 'one transaction:', batch: 'in batches:', alone: 'outside a transaction:' } as const

/** AccessExclusiveLock becomes ACCESS EXCLUSIVE. */
const sqlName = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()

const tableSizeInWords = ({ rows, bytes }: TableSize): string =>
  `about ${rows.toLocaleString('en')} rows, ${sizeInWords(bytes)}`

function lasting(kind: PlannedStep['kind'], reads: readonly string[], sizes: PlannedStep['sizes']): string {
  const read = reads.flatMap((name) => sizes.get(name) ?? [])
  const bytes = read.reduce((sum, one) => sum + one.bytes, 0)
  if (kind === 'batch') {
    const rows = read.reduce((sum, one) => sum + one.rows, 0)
    return `Each batch some 0.2 s, 2 s at most; all of them ${atMost(rows / batchedRowsPerSecond)}.`
  }
  if (kind === 'alone')
    return `It reads the table twice, ${atMost((2 * bytes) / bytesPerSecond)}, and waits for older transactions.`
  return read.length === 0
    ? 'For an instant.'
    : `Until it has read ${reads.filter((name) => sizes.has(name)).join(', ')}: ${atMost(bytes / bytesPerSecond)}.`
}

function atMost(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  return seconds < 120 ? `some ${Math.ceil(seconds)} s` : `some ${Math.ceil(seconds / 60)} minutes`
}
