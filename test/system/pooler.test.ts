import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { database } from '../../server/commands/doctor/database.ts'
import { readConfig } from '../../server/config/config.ts'
import { countingPool, publicPools } from '../../server/config/pools.ts'
import { startWorker } from '../../server/main/worker.ts'
import { accessFor, applyRoleSettings, WrongConnection } from '../../server/platform/db/access.ts'
import { Database } from '../../server/platform/db/database.ts'
import { migrate } from '../../server/sql/migrate.ts'
import { testApp } from '../../testkit/app.ts'
import { spawnCli, standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { missingPrograms } from '../../testkit/engines/engine.ts'
import { type PgBouncer, startPgBouncer } from '../../testkit/engines/postgres.ts'
import { silentLog } from '../../testkit/log.ts'
import { until } from '../../testkit/waiting.ts'

/** Through PgBouncer in transaction mode, as deploy/pgbouncer configures it; wrong configurations are refused. */

const cannot = missingPrograms('pgbouncer')
const { url, admin } = await testDatabase()
const server = new URL(url)
const name = server.pathname.slice(1)
const poolers = new Map<string, PgBouncer>()

/** One for each configuration, reused by later tests. */
async function pooler(how: Omit<Parameters<typeof startPgBouncer>[0], 'port'> = {}): Promise<PgBouncer> {
  const key = JSON.stringify(how)
  const one = poolers.get(key) ?? (await startPgBouncer({ ...how, port: Number(server.port || 5432) }))
  poolers.set(key, one)
  return one
}
after(() => Promise.all([...poolers.values()].map((one) => one.stop())))

const secret = 'a-secret-of-tests-that-everybody-knows'
const addresses = (at: PgBouncer) => ({
  PUBLIC_DATABASE_URL: at.urlOf(name, 'svc_public'),
  API_DATABASE_URL: at.urlOf(name, 'svc_api'),
  DESK_DATABASE_URL: at.urlOf(name, 'svc_desk'),
  WORKER_DATABASE_URL: at.urlOf(name, 'svc_worker'),
})
const atPostgres = (role: string) => `postgres://${role}@${server.host}/${name}`
const throughIt = (at: PgBouncer, env: Record<string, string> = {}) => ({
  BASE_URL: 'https://site.test',
  AUTH_SECRET: secret,
  SECRETS_KEY: secret,
  POOLER: 'transaction',
  TIMEOUT_FACTOR: '60',
  ...addresses(at),
  DIRECT_DATABASE_URL: atPostgres('svc_worker'),
  ...env,
})

async function rolesAsMigrated(): Promise<void> {
  const client = await admin.connect()
  await applyRoleSettings(client, 60)
  client.release()
}
/** Pooled connections keep their roles' old settings. */
const forgetConnections = () =>
  admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename ~ '^svc_'", [name])
async function changed(statement: string): Promise<void> {
  await admin.query(`do $$ begin execute format('${statement}', current_database()); end $$`)
  await forgetConnections()
}
before(rolesAsMigrated)

/** Expects that a process refuses to start with this sentence, and that doctor reports it too. */
async function demandRefused(env: Record<string, string>, sentence: RegExp): Promise<void> {
  const app = await testApp(url, env)
  await assert.rejects(
    app.verifyDatabases(),
    (error) => error instanceof WrongConnection && sentence.test(error.message),
  )
  const findings = await database(readConfig(env), {})
  assert.ok(
    findings.some(({ mark, text }) => mark === '✗' && sentence.test(text)),
    findings.map(({ mark, text }) => `${mark} ${text}`).join('\n'),
  )
}

test('a process whose roles have their settings serves, hears and writes', { skip: cannot }, async () => {
  const env = throughIt(await pooler())
  const app = await testApp(url, env)
  await app.verifyDatabases()
  assert.equal((await app.inject('/api/public/pieces/trending')).statusCode, 200)
  assert.equal((await app.inject('/api/public/pieces/search?q=tea')).statusCode, 200)
  assert.equal((await app.admin.inject('/readyz')).statusCode, 200)
  const findings = await database(readConfig({ ...env, DATABASE_URL: url }), { PATH: process.env['PATH'] })
  assert.deepEqual(
    findings.filter(({ mark }) => mark === '✗'),
    [],
  )
})

test('a pooler that signs in as somebody else is refused', { skip: cannot }, async () => {
  const env = throughIt(await pooler({ connecting: ' user=postgres' }))
  await demandRefused(env, /_DATABASE_URL acts as postgres and must act as svc_\w+: let it sign in/)
})

const lacking = {
  'read-only': ['default_transaction_read_only', /PUBLIC_DATABASE_URL has default_transaction_read_only = off, not on/],
  'a time-out of statements': ['statement_timeout', /PUBLIC_DATABASE_URL has statement_timeout = 0, not 120000/],
  'a time-out of locks': ['lock_timeout', /PUBLIC_DATABASE_URL has lock_timeout = 0, not 60000/],
  'a time-out of idle transactions': [
    'idle_in_transaction_session_timeout',
    /PUBLIC_DATABASE_URL has idle_in_transaction_session_timeout = 0, not 300000\. Run standfirst migrate/,
  ],
} as const

for (const [what, [setting, sentence]] of Object.entries(lacking)) {
  test(`a role without ${what} is refused`, { skip: cannot }, async () => {
    await changed(`alter role svc_public in database %I reset ${setting}`)
    await demandRefused(throughIt(await pooler()), sentence)
    await rolesAsMigrated()
    await forgetConnections()
  })
}

test('a pooler of which nobody was told is refused', { skip: cannot }, async () => {
  const at = await pooler()
  await demandRefused(throughIt(at, { POOLER: 'none' }), /leads through a connection pooler.* Set POOLER=transaction/)
})

test('a pooler that drops startup options in silence is refused, also where each role has its settings', {
  skip: cannot,
}, async () => {
  const at = await pooler({ settings: { ignore_startup_parameters: 'options' } })
  await demandRefused(throughIt(at, { POOLER: 'none' }), /leads through a connection pooler/)
  const asOwner = new URL(at.urlOf(name, 'svc_public'))
  const owner = await pooler({
    settings: { ignore_startup_parameters: 'options', auth_type: 'any' },
    connecting: ' user=postgres',
  })
  asOwner.port = String(owner.port)
  const app = await testApp(asOwner.href)
  await assert.rejects(app.verifyDatabases(), /DATABASE_URL leads through a connection pooler/)
  assert.equal((await app.inject('/api/public/pieces/trending')).statusCode, 503, 'nothing is asked as the owner')
})

test('an address that must be PostgreSQL itself is refused where it leads through the pooler', {
  skip: cannot,
}, async () => {
  const at = await pooler()
  const address = at.urlOf(name, 'svc_worker')
  await demandRefused(throughIt(at, { DIRECT_DATABASE_URL: address }), /DIRECT_DATABASE_URL .* PostgreSQL itself/)
  await assert.rejects(migrate(address), /DATABASE_URL leads through a connection pooler/)
  await assert.rejects(
    startWorker(readConfig(throughIt(at, { DIRECT_DATABASE_URL: address })), silentLog()),
    /DIRECT_DATABASE_URL .* PostgreSQL itself/,
  )
})

test('a process that is refused ends with the sentence, and so does doctor', { skip: cannot }, async () => {
  const at = await pooler()
  const env = { ...throughIt(at, { TIMEOUT_FACTOR: '7' }), SMTP_URL: 'smtp://127.0.0.1:1', PORT: '0' }
  for (const command of ['serve', 'worker', 'doctor']) {
    const { code, output } = await standfirst(env, command)
    assert.equal(code, 1, output)
    assert.match(output, /has statement_timeout = \d+, not \d+.*Run standfirst migrate/)
  }
  await standfirst({ ...env, DATABASE_URL: url }, 'migrate')
  await forgetConnections()
  assert.doesNotMatch((await standfirst({ ...env, DATABASE_URL: url }, 'doctor')).output, /^✗ \w+_DATABASE_URL/m)
  await rolesAsMigrated()
  await forgetConnections()
})

test('a process whose roles lose their settings answers 503, and is not ready', { skip: cannot }, async () => {
  const app = await testApp(url, throughIt(await pooler()))
  assert.equal((await app.inject('/api/public/pieces/trending')).statusCode, 200)
  await changed('alter role svc_public in database %I reset statement_timeout')
  await until(async () => (await app.admin.inject('/readyz')).statusCode === 503)
  assert.equal((await app.inject('/api/public/pieces/trending')).statusCode, 503)
  await rolesAsMigrated()
  await forgetConnections()
  await until(async () => (await app.inject('/api/public/pieces/trending')).statusCode === 200)
})

test('each pool has its own limits through one login, and leaves none of them behind', { skip: cannot }, async () => {
  const at = await pooler({ settings: { default_pool_size: 1 } })
  const config = readConfig(throughIt(at))
  const { db, searchDb } = publicPools(config)
  const counting = countingPool(config)!
  const shown = async (pool: Database) => {
    const names = ['statement_timeout', 'transaction_read_only', 'enable_seqscan', 'work_mem']
    const text = `select ${names.map((one) => `current_setting('${one}') as ${one}`).join(', ')}, current_user as me`
    const [row] = await pool.run<Record<string, string>>({ text })
    return row
  }
  const plain = { statement_timeout: '2min', transaction_read_only: 'on', enable_seqscan: 'on', work_mem: '4MB' }
  const expected = [
    plain,
    { statement_timeout: '36s', transaction_read_only: 'on', enable_seqscan: 'off', work_mem: '16MB' },
    { ...plain, statement_timeout: '5min', transaction_read_only: 'off' },
    plain,
  ].map((one) => ({ ...one, me: 'svc_public' }))
  const found = [await shown(db), await shown(searchDb), await shown(counting), await shown(db)]
  assert.deepEqual(found, expected)
  await Promise.all([db.close(), searchDb.close(), counting.close()])
})

test('statements are named only where the pooler knows them', { skip: cannot }, async () => {
  const named = async (POOLER: string) => {
    const config = readConfig(throughIt(await pooler(), { POOLER, WORKER_DATABASE_URL: atPostgres('svc_worker') }))
    const access = accessFor(config, 'svc_worker')!
    const db = new Database({ ...access, name: 'worker', connections: 1, statementTimeout: 5000, timeoutFactor: 60 })
    await db.query({ name: 'one', text: 'select 1', values: () => [] }, {})
    const kept = await db.run({ text: 'select name from pg_prepared_statements' })
    await db.close()
    return kept
  }
  assert.deepEqual(await named('transaction'), [])
  assert.deepEqual(await named('prepared'), [{ name: 'one' }])
  assert.deepEqual(await named('none'), [{ name: 'one' }])
})

test('a statement that gets no connection of the pooler is answered 503', { skip: cannot }, async () => {
  const at = await pooler({ settings: { default_pool_size: 1, query_wait_timeout: 1 } })
  const app = await testApp(url, throughIt(at))
  assert.equal((await app.inject('/api/public/pieces/trending')).statusCode, 200)
  const other = new pg.Client({ connectionString: at.urlOf(name, 'svc_public') })
  await other.connect()
  await other.query('begin')
  const answer = await app.inject('/api/public/pieces/trending')
  assert.equal(answer.statusCode, 503, answer.body)
  await other.query('rollback')
  await other.end()
  await until(async () => (await app.inject('/api/public/pieces/trending')).statusCode === 200)
})

test('jobs are done without a direct address too', { skip: cannot }, async () => {
  const at = await pooler()
  const { DIRECT_DATABASE_URL: _, ...env } = throughIt(at)
  const worker = await startWorker(readConfig(env), silentLog())
  const { rows } = await admin.query<{ id: string }>(`select jobs.add('drafts.tell', '{}') as id`)
  await until(async () => {
    const { rowCount } = await admin.query("select from jobs.job where id = $1 and state = 'completed'", [rows[0]!.id])
    return rowCount === 1
  })
  await worker.stop()
})

test('a worker that is killed leaves nothing locked in the pooler, and another takes over', {
  skip: cannot,
}, async () => {
  const env = { ...throughIt(await pooler()), SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'info' }
  const holder = async () => (await admin.query('select holder, token from search.lease')).rows[0]
  const before = await holder()
  const one = spawnCli(env, 'worker')
  await until(async () => (await holder()).token !== before.token)
  const first = await holder()
  one.kill('SIGKILL')
  const locks = `select from pg_locks l join pg_database d on d.oid = l.database
                  where d.datname = current_database() and l.locktype = 'advisory'`
  await until(async () => (await admin.query(locks)).rowCount === 0)
  spawnCli(env, 'worker')
  await until(async () => {
    // Skips the rest of ten seconds.
    await admin.query("update search.lease set until = '-infinity' where token = $1", [first.token])
    return (await holder()).token !== first.token
  })
  assert.notEqual((await holder()).holder, first.holder)
})
