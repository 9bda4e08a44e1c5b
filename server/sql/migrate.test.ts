import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { scratchDatabase } from '../../testkit/database.ts'
import { until } from '../../testkit/waiting.ts'
import { migrate } from './migrate.ts'
import { applyMigration } from './migration-steps.ts'

test('two processes that migrate at once end with one schema', async () => {
  const { url } = await scratchDatabase()
  const applied = await Promise.all([migrate(url), migrate(url)])
  assert.ok(applied.flat().length > 0)
  assert.deepEqual(applied.map((names) => names.length).filter((count) => count === 0).length, 1)
  assert.deepEqual(await migrate(url), [])
})

test('an owner who is no superuser can migrate, and the site has the same rights', async () => {
  const owner = `sf_owner_${randomBytes(4).toString('hex')}`
  const { url, admin } = await scratchDatabase()
  await admin.query(`create role ${owner} login createrole`)
  const { rows } = await admin.query('select current_database() as name')
  await admin.query(`alter database ${rows[0].name} owner to ${owner}`)
  after(async () => {
    await admin.query(`reassign owned by ${owner} to current_user`).catch(() => {})
    await admin.query(`drop owned by ${owner} cascade`).catch(() => {})
    await admin.query(`drop role if exists ${owner}`).catch(() => {})
  })
  // As an operator would: the roles already exist in the cluster, so the owner must be made a member once.
  for (const role of ['svc_owner', 'svc_publisher', 'svc_public', 'svc_api', 'svc_desk', 'svc_worker']) {
    await admin.query(`grant ${role} to ${owner}`)
  }
  const asOwner = new URL(url)
  asOwner.username = owner
  assert.ok((await migrate(asOwner.href)).length > 0)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: rights } = await client.query(
    "select has_table_privilege('svc_public', 'pub.pieces', 'select') as reads, has_schema_privilege('svc_public', 'app', 'usage') as leaks",
  )
  await client.end()
  assert.deepEqual(rights, [{ reads: true, leaks: false }])
})

test('a migration that fails leaves nothing behind and says which it was', async () => {
  const { url, admin } = await scratchDatabase()
  await admin.query('create schema app')
  await assert.rejects(migrate(url), /0001_baseline\.sql failed and was rolled back/)
  const { rows } = await admin.query("select to_regnamespace('pub') as pub")
  assert.equal(rows[0].pub, null)
})

test('a migration that must wait for a table lets others pass meanwhile, and gets it in the end', async () => {
  const { url } = await scratchDatabase()
  await migrate(url)
  const admin = new pg.Pool({ connectionString: url, max: 4 })
  // The database is dropped by force after the test, perhaps before the last of them has closed.
  admin.on('connect', (client) => client.on('error', () => {}))
  admin.on('error', () => {})
  const [reader, migrating] = await Promise.all([admin.connect(), admin.connect()])
  await reader.query('begin')
  await reader.query('select from app.pieces limit 1')
  const migrated = applyMigration(migrating, {
    name: 'later.sql',
    text: 'alter table app.pieces add column later integer',
  })
  const waits = (mode: string) =>
    until(async () => {
      const { rowCount } = await admin.query(
        "select from pg_locks where relation = 'app.pieces'::regclass and mode = $1 and not granted",
        [mode],
      )
      return rowCount
    }, `somebody waits for ${mode}`)
  // The first of these reads run between two tries of the migration, or end before they are seen.
  const isBehind = new AbortController()
  const reads = (async () => {
    while (!isBehind.signal.aborted) await admin.query('select from app.pieces limit 1')
  })()
  await waits('AccessExclusiveLock')
  await waits('AccessShareLock')
  isBehind.abort()
  // Done while the table is still locked: the migration has let it pass.
  await reads
  await reader.query('commit')
  await migrated
  for (const client of [reader, migrating]) client.release()
  const { rows } = await admin.query('select later from app.pieces')
  assert.deepEqual(rows, [])
  await admin.end()
})
