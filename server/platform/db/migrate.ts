import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { installQueue, queueDescription } from '../jobs/queue.ts'
import { giveRolesTheirSettings } from './access.ts'
import { applyMigration, type Migration, needsOf, type Report, replacedBy } from './migration-steps.ts'
import { applySqlFiles, readSqlFile, readSqlFiles, sqlFilesTable, sqlFolder } from './sql-files.ts'
import { demandDirect } from './verify.ts'

const migrationsFolder = new URL('migrations/', sqlFolder)
const rolesFile = new URL('roles.sql', sqlFolder)

/** Any number, the same for every process that migrates. */
const lockKey = 7_305_310

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await included(await readFile(new URL(name, migrationsFolder), 'utf8')),
    })),
  )
}

/** Where a table uses a function that is not there yet, its migration has `-- include: functions/app/….sql`. */
async function included(text: string): Promise<string> {
  const [head, ...parts] = text.split(/^-- include: (\S+)$/m)
  const files = await Promise.all(parts.map((part, at) => (at % 2 === 0 ? readSqlFile(part) : part)))
  return [head, ...files].join('')
}

/** Changes whenever a migration does: names the template that test databases are copied from. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(rolesFile, 'utf8'))
    .update(await queueDescription())
    .update(notes)
  for (const { name, text } of await readMigrations()) hash.update(name).update(text)
  for (const { path, text } of await readSqlFiles()) hash.update(path).update(text)
  return hash.digest('hex').slice(0, 12)
}

/**
 * Creates what the cluster shares and the job queue, then applies what this database lacks, in order: migrations, and files
 * of functions, triggers and policies that changed. Two processes may call it at once: the second waits, and finds nothing
 * to do. The queue and the functions of a later release are left as that one made them.
 */
export async function migrate(
  databaseUrl: string,
  report: Report = () => {},
  /** Given where roles sign in through a pooler: their settings, multiplied by it. */
  pooledBy?: number,
): Promise<string[]> {
  return migrateTo(databaseUrl, await readMigrations(), report, pooledBy)
}

export async function migrateTo(
  databaseUrl: string,
  all: readonly Migration[],
  report: Report = () => {},
  pooledBy?: number,
): Promise<string[]> {
  await makeRoles(databaseUrl)
  return withLock(databaseUrl, databaseUrl, async (client) => {
    await makeNotes(client)
    const missing = await missingMigrations(client, all)
    const unknown = [...(await appliedNames(client))].filter(isOfLaterRelease(await readMigrations())).sort()
    if (missing.length === 0 && unknown.length > 0)
      report(
        `The database is of a later release than this one (${unknown.join(', ')}): its job queue and functions stay as they are.`,
      )
    else await installQueue(client)
    for (const migration of missing) {
      if (await isReplacing(client, migration)) continue
      await applyMigration(client, migration, report)
      report(`applied ${migration.name}`)
    }
    if (unknown.length === 0) await applySqlFiles(client, report)
    if (pooledBy !== undefined) await giveRolesTheirSettings(client, pooledBy)
    return missing.map(({ name }) => name)
  })
}

/** A database of earlier releases has what a baseline makes. Notes it then; says where to begin if it has only some of it. */
async function isReplacing(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  const last = replacedBy(migration)
  const applied = await appliedNames(client)
  if (!last || applied.size === 0) return false
  if (!applied.has(last))
    throw new Error(
      `The database is of a release before ${last}, which this one cannot update. Run migrate of the last release that has this file, then this one again.`,
    )
  await client.query('insert into public.migrations (name) values ($1)', [migration.name])
  return true
}

/** What the cluster shares: the roles of the site, where they are not there yet. */
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
  await makeNotes(client)
  const needs = new Map((await readMigrations()).map((migration) => [migration.name, needsOf(migration)]))
  await client.query(
    'insert into public.migrations (name, applied_at, needs) select name, applied_at, needs from json_to_recordset($1) as given (name text, applied_at timestamptz, needs text)',
    [JSON.stringify(applied.map((one) => ({ ...one, needs: needs.get(one.name) })))],
  )
}

/** What was applied, and how far a migration of several steps has come; every role may ask whether it fits the database. */
const notes = `
  create table if not exists public.migrations (name text primary key, applied_at timestamptz not null default now());
  create table if not exists public.migrations_begun (
    name text primary key, steps_done integer not null, rows_done bigint not null);
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'public.migrations'::regclass and attname = 'needs') then
      alter table public.migrations add column needs text;
    end if;
  end $$;
  grant select on public.migrations to svc_public, svc_api, svc_desk, svc_worker;
  ${sqlFilesTable}`

export async function makeNotes(client: pg.ClientBase): Promise<void> {
  await client.query(notes)
}

async function appliedNames(client: pg.ClientBase): Promise<Set<string>> {
  const { rows: known } = await client.query("select to_regclass('public.migrations') is not null as exists")
  const { rows } = known[0].exists
    ? await client.query<{ name: string }>('select name from public.migrations')
    : { rows: [] }
  return new Set(rows.map(({ name }) => name))
}

export async function missingMigrations(client: pg.ClientBase, all?: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedNames(client)
  return (all ?? (await readMigrations())).filter(({ name }) => !applied.has(name))
}

/** Of a later release: neither one of ours nor one that our baseline replaced. */
export function isOfLaterRelease(ours: readonly Migration[]): (name: string) => boolean {
  const known = new Set(ours.map(({ name }) => name))
  const replaced = ours.map(replacedBy).findLast((last) => last !== undefined) ?? ''
  return (name) => !known.has(name) && name > replaced
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
    await hold(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Asks again and again: one statement that waited would be a transaction that CREATE INDEX CONCURRENTLY waits for. */
async function hold(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lockKey])
    if (rows[0]!.held) return
    await pause(100)
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  return client
}
