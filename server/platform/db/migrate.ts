import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { installQueue, queueDescription } from '../jobs/queue.ts'
import { giveRolesTheirSettings } from './access.ts'
import { inTransaction } from './in-transaction.ts'
import { demandDirect } from './verify.ts'

const folder = new URL('./migrations/', import.meta.url)
const rolesFile = new URL('./roles.sql', import.meta.url)

/** Any number, the same for every process that migrates. */
const lockKey = 7_305_310

export interface Migration {
  readonly name: string
  readonly text: string
}

async function migrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })))
}

/** Changes whenever a migration does: names the template that test databases are copied from. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(rolesFile, 'utf8'))
    .update(await queueDescription())
  for (const { name, text } of await migrations()) hash.update(name).update(text)
  return hash.digest('hex').slice(0, 12)
}

/**
 * Creates what the cluster shares and the job queue, then applies what this database lacks, in order, each in its own
 * transaction. Two processes may call it at once: the second waits, and finds nothing to do.
 */
export async function migrate(
  databaseUrl: string,
  report: (name: string) => void = () => {},
  /** Given where roles sign in through a pooler: their settings, multiplied by it. */
  pooledBy?: number,
): Promise<string[]> {
  await makeRoles(databaseUrl)
  return withLock(databaseUrl, databaseUrl, async (client) => {
    await installQueue(client)
    const applied = await applyMissing(client, report)
    if (pooledBy !== undefined) await giveRolesTheirSettings(client, pooledBy)
    return applied
  })
}

/** What the cluster shares: the roles of the house, where they are not there yet. */
export const makeRoles = (databaseUrl: string): Promise<void> =>
  withLock(clusterUrl(databaseUrl), databaseUrl, async (client) => {
    await client.query(await readFile(rolesFile, 'utf8'))
  })

export interface AppliedMigration {
  readonly name: string
  readonly applied_at: string
}

export async function appliedMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    "select name, to_json(applied_at) #>> '{}' as applied_at from public.migrations order by name",
  )
  return rows
}

/** Of a database that was restored, and so has them: it is now as migrated as it was. */
export async function noteMigrations(client: pg.ClientBase, applied: readonly AppliedMigration[]): Promise<void> {
  await client.query(migrationsTable)
  await client.query(
    'insert into public.migrations (name, applied_at) select name, applied_at from json_to_recordset($1) as given (name text, applied_at timestamptz)',
    [JSON.stringify(applied)],
  )
}

export async function migrationNames(): Promise<string[]> {
  return (await migrations()).map(({ name }) => name)
}

const migrationsTable =
  'create table if not exists public.migrations (name text primary key, applied_at timestamptz not null default now())'

async function applyMissing(client: pg.Client, report: (name: string) => void): Promise<string[]> {
  await client.query(migrationsTable)
  const missing = await missingMigrations(client)
  for (const migration of missing) {
    await applyMigration(client, migration)
    report(migration.name)
  }
  return missing.map(({ name }) => name)
}

export async function missingMigrations(client: pg.ClientBase): Promise<Migration[]> {
  const { rows: known } = await client.query("select to_regclass('public.migrations') is not null as exists")
  const { rows } = known[0].exists
    ? await client.query<{ name: string }>('select name from public.migrations')
    : { rows: [] }
  const applied = new Set(rows.map((row) => row.name))
  return (await migrations()).filter(({ name }) => !applied.has(name))
}

/**
 * Whoever asks for a table that a migration waits for waits behind it. So it waits for no longer than a request may be
 * late, lets the others pass, and tries again; thirty times take some half a minute.
 */
const waitForLock = 500
const mostTries = 30
const lockNotAvailable = '55P03'

/** Kept whole or not at all. */
export async function applyMigration(client: pg.ClientBase, { name, text }: Migration): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await inTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${waitForLock}`)
        await client.query(text)
        await client.query('reset role')
        await client.query('insert into public.migrations (name) values ($1)', [name])
      })
      return
    } catch (cause) {
      const { code, message } = cause as { code?: string; message: string }
      if (code !== lockNotAvailable || tried === mostTries)
        throw new Error(`migration ${name} failed and was rolled back: ${message}`, { cause })
      await pause(waitForLock * (0.5 + Math.random()))
    }
  }
}

/** Advisory locks end at a database's border; roles do not. So roles are created under a lock in one agreed database. */
function clusterUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return url.href
}

async function withLock<T>(url: string, fallbackUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url).catch(() => connected(fallbackUrl))
  try {
    // Its lock would stay behind in a pooler's session.
    await demandDirect(client, 'DATABASE_URL')
    await client.query('select pg_advisory_lock($1)', [lockKey])
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  return client
}
