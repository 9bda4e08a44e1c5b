import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { jobs } from '#features/jobs.ts'
import { cliTranslator } from '#messages/cli.ts'
import { applyRoleSettings, assertDirect } from '#platform/db/access.ts'
import { installQueue, queueDescription } from '#platform/jobs/queue.ts'
import { applyMigration, type Migration, needsOf, type Report, replacedBy } from './migration-steps.ts'
import { applySqlFiles, readSqlFile, readSqlFiles, sqlFilesTable, sqlFolder, wholeSet } from './sql-files.ts'

const t = cliTranslator()

const migrationsFolder = new URL('migrations/', sqlFolder)
const rolesFile = new URL('roles.sql', sqlFolder)

/** An arbitrary number, the same for every process that migrates. */
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

/** A migration whose tables use a function that does not exist yet has `-- include: functions/app/….sql`. */
async function included(text: string): Promise<string> {
  const [head, ...parts] = text.split(/^-- include: (\S+)$/m)
  const files = await Promise.all(parts.map((part, at) => (at % 2 === 0 ? readSqlFile(part) : part)))
  return [head, ...files].join('')
}

/** Changes with every migration: names the template that test databases are copied from. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(rolesFile, 'utf8'))
    .update(await queueDescription(jobs))
    .update(migrationTables)
  for (const { name, text } of await readMigrations()) hash.update(name).update(text)
  for (const { path, text } of await readSqlFiles()) hash.update(path).update(text)
  return hash.digest('hex').slice(0, 12)
}

/**
 * Creates the cluster's roles and the job queue, then applies what this database lacks: migrations in order, then
 * changed files of functions, triggers and policies. Safe to run concurrently: the second process waits and finds
 * nothing to do. The queue and functions of a later release are left alone.
 */
export async function migrate(
  databaseUrl: string,
  report: Report = () => {},
  /** Set if roles connect through a pooler: the factor for their timeouts. */
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
    await createMigrationTables(client)
    const missing = await missingMigrations(client, all)
    const unknown = [...(await appliedNames(client))].filter(isOfLaterRelease(await readMigrations())).sort()
    if (missing.length === 0 && unknown.length > 0)
      report(t('cli.migrate.later_release', { migrations: t.list(unknown) }))
    else await installQueue(client, jobs)
    for (const migration of missing) {
      if (await isReplacing(client, migration)) continue
      await applyMigration(client, migration, report)
      report(t('cli.migrate.applied', { name: migration.name }))
    }
    if (unknown.length === 0) await applySqlFiles(client, report)
    if (pooledBy !== undefined) await applyRoleSettings(client, pooledBy)
    return missing.map(({ name }) => name)
  })
}

/**
 * A database of an earlier release already has what a baseline creates: records it as applied. Throws if it has only a
 * part.
 */
async function isReplacing(client: pg.ClientBase, migration: Migration): Promise<boolean> {
  const last = replacedBy(migration)
  const applied = await appliedNames(client)
  if (!last || applied.size === 0) return false
  if (!applied.has(last)) throw new Error(t('cli.migrate.too_old', { name: last, command: 'standfirst migrate' }))
  await client.query('insert into public.migrations (name) values ($1)', [migration.name])
  return true
}

/** Creates the roles of the site, which are shared by the cluster, if they are missing. */
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

/** Records the migrations that a restored database already has. */
export async function recordMigrations(client: pg.ClientBase, applied: readonly AppliedMigration[]): Promise<void> {
  await createMigrationTables(client)
  const needs = new Map((await readMigrations()).map((migration) => [migration.name, needsOf(migration)]))
  await client.query(
    'insert into public.migrations (name, applied_at, needs) select name, applied_at, needs from json_to_recordset($1) as given (name text, applied_at timestamptz, needs text)',
    [JSON.stringify(applied.map((one) => ({ ...one, needs: needs.get(one.name) })))],
  )
}

/**
 * Records applied migrations, and the progress of those with several steps. Every role may read them to check
 * compatibility.
 */
const migrationTables = `
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

export async function createMigrationTables(client: pg.ClientBase): Promise<void> {
  await client.query(migrationTables)
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

/** From a later release: neither one of ours nor one that our baseline replaced. */
export function isOfLaterRelease(ours: readonly Migration[]): (name: string) => boolean {
  const known = new Set(ours.map(({ name }) => name))
  const replaced = ours.map(replacedBy).findLast((last) => last !== undefined) ?? ''
  return (name) => !known.has(name) && name > replaced
}

/** Advisory locks are per database, roles are per cluster. So roles are created under a lock in one agreed database. */
function clusterUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return url.href
}

async function withLock<T>(url: string, fallbackUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url).catch(() => connected(fallbackUrl))
  try {
    // Its lock would stay behind in a pooler's session.
    await assertDirect(client, 'DATABASE_URL')
    await acquireLock(client)
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Polls: a single waiting statement would be a transaction that CREATE INDEX CONCURRENTLY waits for. */
async function acquireLock(client: pg.Client): Promise<void> {
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

/**
 * Compatibility of this release with the database. A process works with a database that has all its migrations and its
 * files of functions, triggers and policies, and with later ones until one of them needs a migration that the process
 * does not know (`-- needs:` in its file).
 */
export interface Compatibility {
  readonly missing: readonly string[]
  /** From later releases. */
  readonly unknown: readonly string[]
  /** Migrations that later releases require every process to know, and this one does not. */
  readonly needed: readonly string[]
}

const question = `
  select array(select name from unnest($1::text[]) as known (name)
                where not exists (select from public.migrations m where m.name = known.name))
         || array(select $2::text where not exists (select from public.sql_files where path = $2 and hash = $3)) as missing,
         array(select name from public.migrations where name <> all ($1) order by name) as unknown,
         array(select distinct needs from public.migrations where needs <> all ($1) order by needs) as needed`

/** Missing table, column or privilege: the database is of an earlier release. */
const older = ['42P01', '42703', '42501']

let known: ReturnType<typeof readKnown> | undefined

async function readKnown() {
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  const { path, hash } = wholeSet(await readSqlFiles())
  return { names, values: [names, path, hash], isLater: isOfLaterRelease(migrations) }
}

/** Works as any role. */
export async function compatibilityOf(ask: (query: pg.QueryConfig) => Promise<unknown[]>): Promise<Compatibility> {
  known ??= readKnown()
  const { names, values, isLater } = await known
  try {
    const { missing, unknown, needed } = (await ask({ text: question, values }))[0] as Compatibility
    return { missing, unknown: unknown.filter(isLater), needed: needed.filter(isLater) }
  } catch (error) {
    if (!older.includes((error as { code?: string }).code ?? '')) throw error
    return { missing: names, unknown: [], needed: [] }
  }
}

/** Why this release cannot work with the database, and what to do; undefined if it can. */
export function incompatibilityOf({ missing, needed }: Compatibility): string | undefined {
  if (needed.length > 0) return t('cli.migrate.release_too_old', { migrations: t.list(needed) })
  return missing.length > 0 ? t('cli.migrate.missing', { command: 'standfirst migrate' }) : undefined
}
