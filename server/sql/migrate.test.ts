import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { generatedTypes, measureLocks, measureStep, typesOptions } from '../../testkit/db/schema-files.ts'
import { until } from '../../testkit/waiting.ts'
import { migrate, migrateTo, readMigrations } from './migrate.ts'
import measured from './migration-locks.json' with { type: 'json' }
import { applyMigration, needsOf, stepsOf } from './migration-steps.ts'

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

const { url, admin } = await testDatabase()

/** A table with this many rows, and a migration of several steps for it. */
async function tableOf(name: string, rows: number) {
  await admin.query(
    `create table app.${name} (id integer primary key, text text not null default 'a word',
                               size integer, times integer not null default 0)`,
  )
  await admin.query(`alter table app.${name} owner to svc_owner`)
  await admin.query(`insert into app.${name} select generate_series(1, ${rows})`)
  await admin.query(`analyze app.${name}`)
  const text = `-- Why it is.

-- step: once
set local role svc_owner;
create table app.${name}_sizes (size integer);

-- step: batch app.${name}
set local role svc_owner;
update app.${name} set size = length(text), times = times + 1
 where id in (select id from app.${name} where size is null order by id limit :batch);

-- step: alone
-- Small ones first.
create index concurrently if not exists ${name}_by_size on app.${name} (size);
`
  return { name: `9001_${name}.sql`, text }
}

async function connect(): Promise<pg.Client & { pid: number }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  after(() => client.end())
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return Object.assign(client, { pid: rows[0].pid as number })
}

const waits = (pid: number, kind: string) =>
  until(async () => {
    const { rowCount } = await admin.query('select from pg_locks where pid = $1 and locktype = $2 and not granted', [
      pid,
      kind,
    ])
    return rowCount
  }, `it waits for ${kind}`)

const kill = (pid: number) => admin.query('select pg_terminate_backend($1)', [pid])

const one = async (sql: string) => (await admin.query(sql)).rows[0]

/** Every row done once, a valid index, one record, and nothing left of the steps. */
async function assertWhole(table: string, rows: number): Promise<void> {
  assert.deepEqual(
    await one(
      `select count(*)::integer as rows, min(times) as least, max(times) as most, min(size) as size from app.${table}`,
    ),
    { rows, least: 1, most: 1, size: 6 },
  )
  assert.deepEqual(
    await one(`select indisvalid as whole from pg_index where indexrelid = 'app.${table}_by_size'::regclass`),
    {
      whole: true,
    },
  )
  assert.deepEqual(
    await one(
      `select (select count(*) from public.migrations where name = '9001_${table}.sql')::integer as applied,
              (select count(*) from public.migrations_begun)::integer as begun`,
    ),
    { applied: 1, begun: 0 },
  )
}

test('a migration of several steps tells how far it is, in rows of how many', async () => {
  const migration = await tableOf('whole', 3000)
  const lines: string[] = []
  await applyMigration(await connect(), migration, (line) => lines.push(line))
  await assertWhole('whole', 3000)
  assert.equal(lines[0], '9001_whole.sql: Step 2 of 3: 500 of about 3,000 rows')
  assert.equal(lines.at(-2), '9001_whole.sql: Step 2 of 3: 3,000 of about 3,000 rows')
  assert.equal(lines.at(-1), '9001_whole.sql: Step 3 of 3: create app.whole_by_size')
})

test('killed in the middle of its batches, a migration goes on where it was, and no row is done twice', async () => {
  const migration = await tableOf('batched', 3000)
  const holder = await connect()
  await holder.query('begin; select from app.batched where id = 3000 for update')
  const migrating = await connect()
  const migrated = applyMigration(migrating, migration).then(
    () => 'done',
    (error: Error) => error.message,
  )
  await waits(migrating.pid, 'transactionid')
  await kill(migrating.pid)
  assert.match(await migrated, /9001_batched\.sql failed in step 2 of 3/)
  const { rows_done: noted } = await one('select rows_done::integer from public.migrations_begun where steps_done = 1')
  assert.ok(noted > 0 && noted < 3000, String(noted))
  assert.deepEqual(await one('select count(*)::integer as count from app.batched where size is not null'), {
    count: noted,
  })

  await holder.query('commit')
  const lines: string[] = []
  await applyMigration(await connect(), migration, (line) => lines.push(line))
  await assertWhole('batched', 3000)
  const [, first = ''] = /Step 2 of 3: ([\d,]+) of/.exec(lines[0]!)!
  assert.ok(Number(first.replace(',', '')) > noted, lines[0])
})

test('an index that failed half-way is dropped and built again', async () => {
  const migration = await tableOf('indexed', 10)
  const reader = await connect()
  await reader.query('begin isolation level repeatable read; select from app.indexed')
  const migrating = await connect()
  const migrated = applyMigration(migrating, migration).catch((error: Error) => error.message)
  await waits(migrating.pid, 'virtualxid')
  await kill(migrating.pid)
  assert.match(String(await migrated), /9001_indexed\.sql failed in step 3 of 3/)
  await reader.query('commit')
  const half = await one(
    "select indisvalid as whole from pg_index where indexrelid = to_regclass('app.indexed_by_size')",
  )
  assert.deepEqual(half, { whole: false })
  await applyMigration(await connect(), migration)
  await assertWhole('indexed', 10)
})

test('killed after the index was whole and before that was noted, it is noted', async () => {
  const migration = await tableOf('noted', 10)
  const [, batch] = stepsOf(migration)
  await admin.query(batch!.text.replace('set local role svc_owner;', '').replace(':batch', '10'))
  await admin.query('create index noted_by_size on app.noted (size)')
  await admin.query("insert into public.migrations_begun values ('9001_noted.sql', 2, 0)")
  await applyMigration(await connect(), migration)
  await assertWhole('noted', 10)
})

test('of two that migrate at once, one waits without being waited for by an index, and finds nothing to do', async () => {
  const migration = await tableOf('twice', 3000)
  const reader = await connect()
  await reader.query('begin isolation level repeatable read; select from app.twice')
  const both = Promise.all([migrateTo(url, [migration]), migrateTo(url, [migration])])
  await until(async () => {
    const { rowCount } = await admin.query(
      "select from pg_locks where locktype = 'virtualxid' and not granted and database is null",
    )
    return rowCount
  }, 'the index waits')
  await reader.query('commit')
  assert.deepEqual((await both).map(({ length }) => length).sort(), [0, 1])
  await assertWhole('twice', 3000)
})

test('what is no step is refused before anything is done', async () => {
  const client = await connect()
  for (const text of [
    'create table app.early ();\n-- step: once\nselect 1;\n',
    '-- step: twice\nselect 1;\n',
    '-- step: batch app.pieces\nupdate app.pieces set headline = headline;\n',
    '-- step: alone\ncreate index concurrently x on app.pieces (id);\n',
    '-- step: alone\ncreate index concurrently if not exists x on app.pieces (id); drop table app.pieces;\n',
    '-- step: once\ncreate table app.early ();\n-- step: alone\nvacuum;\n',
  ])
    await assert.rejects(applyMigration(client, { name: 'odd.sql', text }), /odd\.sql has/)
  assert.deepEqual(await one("select to_regclass('app.early') as early"), { early: null })
})

test('every migration can be divided into its steps, and needs one that comes before it or none', async () => {
  const all = await readMigrations()
  const names = all.map(({ name }) => name)
  for (const [at, migration] of all.entries()) {
    assert.ok(stepsOf(migration).length > 0)
    const needs = needsOf(migration)
    assert.ok(needs === undefined || names.slice(0, at).includes(needs), `${migration.name} needs ${needs}`)
  }
})

test('every migration locks what migration-locks.json says', async () => {
  const { url } = await scratchDatabase()
  assert.deepEqual(await measureLocks(url), measured, 'run npm run db:locks and read the difference in review')
})

test('the locks of a step are seen, and which tables it reads whole', async () => {
  const { url } = await testDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const measure = async (text: string) => {
    const all = []
    for (const step of stepsOf({ name: 'x', text })) all.push(await measureStep(client, step))
    return all
  }
  const pieces = (mode: string, reads: string[]) => [{ locks: { 'app.pieces': mode }, reads }]
  try {
    assert.deepEqual(
      await measure('alter table app.pieces add column one integer not null default 1'),
      pieces('AccessExclusiveLock', []),
    )
    assert.deepEqual(
      await measure('alter table app.pieces alter column tags set not null, add check (one > 0)'),
      pieces('AccessExclusiveLock', ['app.pieces']),
    )
    assert.deepEqual(await measure('create index on app.pieces (one)'), pieces('ShareLock', ['app.pieces']))
    assert.deepEqual(
      await measure('create table app.made (id uuid references app.pieces); create index on app.made (id)'),
      [...pieces('ShareRowExclusiveLock', [])],
    )
    assert.deepEqual(await measure('update app.pieces set one = 2'), pieces('RowExclusiveLock', ['app.pieces']))
    assert.deepEqual(
      await measure(`-- step: batch app.pieces
update app.pieces set one = 2 where id in (select id from app.pieces where one = 1 limit :batch);
-- step: alone
create index concurrently if not exists by_one on app.pieces (one);
`),
      [...pieces('RowExclusiveLock', ['app.pieces']), ...pieces('ShareUpdateExclusiveLock', ['app.pieces'])],
    )
  } finally {
    await client.end()
  }
})

test('the table types are those of the migrated database', async () => {
  const { url } = await testDatabase()
  const file = fileURLToPath(generatedTypes)
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['kysely-codegen', '--url', url, '--out-file', file, '--verify', ...typesOptions],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, `run npm run db:types\n${stdout}${stderr}`)
})
