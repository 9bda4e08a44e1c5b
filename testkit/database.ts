import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { type Config, readConfig } from '../server/config/config.ts'
import { applyRoleSettings } from '../server/platform/db/access.ts'
import { Database } from '../server/platform/db/database.ts'
import { migrate, migrationsHash } from '../server/sql/migrate.ts'

/** Where tests may create databases; as set for them, or the PostgreSQL of this machine. */
const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const lockKey = 7_305_311

export interface TestDatabase {
  readonly url: string
  readonly admin: pg.Pool
}

/** A fresh migrated database for this test file, dropped after it. Copied from a template, so it takes a moment only. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = `sf_template_${await migrationsHash()}`
  const database = await createDatabase(template)
  await copyDatabaseRights(database.admin, template)
  await prepareForPooler(database.admin)
  return database
}

/** An empty one, for tests of migrating itself. */
export async function scratchDatabase(): Promise<TestDatabase> {
  return createDatabase(undefined)
}

/** The database as the worker sees it, closed after the test file. */
export function workerDatabase(url: string): Database {
  const db = new Database({ name: 'worker', url, role: 'svc_worker', connections: 4, statementTimeout: 60_000 })
  after(() => db.close())
  return db
}

async function createDatabase(template: string | undefined): Promise<TestDatabase> {
  const name = `sf_test_${randomBytes(6).toString('hex')}`
  await withServer(async (server) => {
    if (template === undefined) return createFresh(server, name)
    await server.query('select pg_advisory_lock($1)', [lockKey])
    await makeTemplate(server, template)
    await server.query(`create database ${name} template ${template}`)
  })
  const url = databaseUrl(name)
  const admin = new pg.Pool({ connectionString: url, max: 2 })
  admin.on('error', () => {})
  after(async () => {
    await withServer((server) => server.query(`drop database if exists ${name} with (force)`))
    await admin.end()
  })
  return { url, admin }
}

/** In memory where `.ci/services` has created a tablespace for it: copying then takes a twentieth of the time. */
async function createFresh(server: pg.Client, name: string): Promise<void> {
  const { rowCount } = await server.query("select from pg_tablespace where spcname = 'standfirst_tests'")
  const place = rowCount ? 'tablespace standfirst_tests' : ''
  await server.query(`create database ${name} encoding 'UTF8' locale 'C.UTF-8' template template0 ${place}`)
}

/** CREATE DATABASE copies all of a template but the rights on the database itself: this copies those. */
async function copyDatabaseRights(admin: pg.Pool, template: string): Promise<void> {
  const { rows } = await admin.query<{ statement: string }>(
    `select format('revoke all on database %I from public', current_database()) as statement
     union all
     select format('grant %s on database %I to %s', privilege_type, current_database(),
                   case when grantee = 0 then 'public' else grantee::regrole::text end)
       from pg_database, aclexplode(datacl) where datname = $1 and grantee <> datdba`,
    [template],
  )
  for (const { statement } of rows) await admin.query(statement)
}

async function makeTemplate(server: pg.Client, template: string): Promise<void> {
  const { rowCount } = await server.query('select from pg_database where datname = $1', [template])
  if (rowCount) return
  await dropOldTemplates(server)
  const unfinished = `${template}_${randomBytes(3).toString('hex')}`
  await createFresh(server, unfinished)
  await migrate(databaseUrl(unfinished))
  await server.query(`comment on database ${unfinished} is '${new Date().toISOString()}'`)
  await server.query(`alter database ${unfinished} rename to ${template}`)
}

/** Those of a day ago, by their comment: another checkout may use a younger one. */
async function dropOldTemplates(server: pg.Client): Promise<void> {
  const { rows } = await server.query<{ datname: string }>(
    `select datname from pg_database
      where datname ~ '^sf_template_'
        and coalesce(shobj_description(oid, 'pg_database')::timestamptz, '-infinity') < now() - interval '1 day'`,
  )
  for (const { datname } of rows) await server.query(`drop database if exists ${datname} with (force)`)
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function withServer<T>(work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

/**
 * `npm test -- --pooler` runs the same tests through PgBouncer: whatever a test starts as shipped signs in there, with the
 * credential of each role, and only tests themselves and the listener reach PostgreSQL past it.
 */

/** Where the pooler is: `postgres://ROLE:password-of-ROLE@127.0.0.1:…/DATABASE`, with ROLE and DATABASE to be put in. */
const pooler = process.env['TEST_POOLER']

/** That of `testApp`: one for each database, since roles have the settings of one. */
const factor = '60'

/** What `standfirst migrate` does with POOLER, for a database that was copied from a template. */
async function prepareForPooler(admin: pg.Pool): Promise<void> {
  if (!pooler) return
  const client = await admin.connect()
  await applyRoleSettings(client, Number(factor)).finally(() => client.release())
}

type Env = Readonly<Record<string, string>>

/** As `readConfig`, through the pooler where there is one and the test does not say otherwise. */
export const testConfig = (env: Env): Config => readConfig({ ...env, ...throughPooler(env) })

/** Not if a test sets other timeouts or its own database addresses. */
function throughPooler({ DATABASE_URL, TIMEOUT_FACTOR = factor, ...others }: Env): Env {
  if (!pooler || !DATABASE_URL || TIMEOUT_FACTOR !== factor) return {}
  if (Object.keys(others).some((name) => name === 'POOLER' || name.endsWith('_DATABASE_URL'))) return {}
  const { host, pathname } = new URL(DATABASE_URL)
  if (host !== new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432').host) return {}
  const urlOf = (role: string) => pooler.replaceAll('ROLE', role).replace('/DATABASE', pathname)
  return {
    POOLER: 'transaction',
    TIMEOUT_FACTOR,
    PUBLIC_DATABASE_URL: urlOf('svc_public'),
    API_DATABASE_URL: urlOf('svc_api'),
    DESK_DATABASE_URL: urlOf('svc_desk'),
    WORKER_DATABASE_URL: urlOf('svc_worker'),
    DIRECT_DATABASE_URL: `postgres://svc_worker@${host}${pathname}`,
  }
}

/** Row count and hash of every table of schemas app and pub: must not change on reads. */
export async function tableHashes(admin: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables where schemaname in ('pub', 'app') order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await admin.query<{ contents: string }>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(one::text, '|' order by one::text)), '') as contents
         from ${name} one`,
    )
    contents[name] = rows[0]!.contents
  }
  return contents
}
