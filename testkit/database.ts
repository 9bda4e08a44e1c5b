import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { migrate, migrationsHash } from '../server/platform/db/migrate.ts'
import { preparePooled } from './pooler.ts'

/** Where tests may create databases; as set for them, or the PostgreSQL of this machine. */
const serverUrl = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const lockKey = 7_305_311

interface TestDatabase {
  readonly url: string
  readonly admin: pg.Pool
}

/** A fresh migrated database for this test file, dropped after it. Copied from a template, so it takes a moment only. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = `sf_template_${await migrationsHash()}`
  const database = await createDatabase(template)
  await copyDatabaseRights(database.admin, template)
  await preparePooled(database.admin)
  return database
}

/** An empty one, for tests of migrating itself. */
export async function scratchDatabase(): Promise<TestDatabase> {
  return createDatabase(undefined)
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

/** In memory where `.ci/services` has made room for it: a copy then takes a twentieth of the time, and lies there too. */
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
  await server.query(`alter database ${unfinished} rename to ${template}`)
}

async function dropOldTemplates(server: pg.Client): Promise<void> {
  const { rows } = await server.query<{ datname: string }>(
    "select datname from pg_database where datname ~ '^sf_template_'",
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
