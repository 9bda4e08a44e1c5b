import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { testDatabase, workerDatabase } from '../../../testkit/database.ts'
import { makePiece, makeWriter } from '../../../testkit/factories.ts'
import { forgetReaders, sweepReads } from './read-counter.ts'

/** Deletion of old reads, in small batches like in the worker. */

const { url, admin } = await testDatabase()
const db = workerDatabase(url)
const writer = await makeWriter(admin)
const ids: string[] = []
for (let number = 0; number < 3; number += 1) ids.push(await makePiece(admin, writer, { headline: `N ${number}` }))
const [first] = ids
const today = "(now() at time zone 'UTC')::date"

beforeEach(async () => {
  await admin.query('truncate app.piece_reads cascade')
  await admin.query('insert into app.piece_reads select unnest($1::uuid[]), $2, 0', [ids, writer.id])
  await admin.query("update app.sources_cut set day = '-infinity'")
})

/** That many sources for each piece, that many days ago; later ones have more visits. */
const named = (count: number, daysAgo: number) =>
  admin.query(
    `insert into app.piece_sources select p, $2, ${today} - $4::integer, 'name-' || n, n
       from unnest($1::uuid[]) p, generate_series(1, $3::integer) n`,
    [ids, writer.id, count, daysAgo],
  )

const one = async (sql: string): Promise<unknown> => Object.values((await admin.query(sql)).rows[0])[0]
const count = (from: string) => one(`select count(*)::integer from ${from}`)

test('salts, marks and limits of days that are over are forgotten, and those of today are not', async () => {
  await admin.query(`insert into app.reader_salts select ${today} - n, sha256('x') from generate_series(0, 2) n`)
  await admin.query('insert into app.read_marks select n % 2 = 0, gen_random_uuid() from generate_series(1, 20) n')
  await admin.query('insert into app.read_limits select is_odd, mark, now(), 1 from app.read_marks')
  for (let time = 0; time < 2; time += 1) await forgetReaders(db)
  assert.equal(
    await one('select array_agg(day)::text from app.reader_salts'),
    await one(`select array[${today}]::text`),
  )
  for (const table of ['app.read_marks', 'app.read_limits']) {
    assert.equal(await count(table), 10)
    assert.equal(await count(`${table} where is_odd = ((${today} - date '2000-01-01') % 2 = 1)`), 10)
  }
})

test('salts and marks are forgotten also while counts cannot be swept', async () => {
  await admin.query(`insert into app.reader_salts values (${today} - 1, sha256('x')) on conflict do nothing`)
  await named(21, 2)
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query('select from app.piece_reads for update')
    await forgetReaders(db)
    await assert.rejects(sweepReads(db))
    await client.query('rollback')
  } finally {
    client.release()
  }
  assert.equal(await count(`app.reader_salts where day < ${today}`), 0)
  await sweepReads(db)
  assert.equal(await count("app.piece_sources where source <> ''"), 60)
})

test('hours older than 31 days and sources older than 92 are swept, however many there are', async () => {
  await admin.query(
    `insert into app.piece_reads_hourly
     select p, now() - interval '31 days 30 minutes' - make_interval(hours => n), 1
       from unnest($1::uuid[]) p, generate_series(-9, 4000) n`,
    [ids],
  )
  await named(4000, 93)
  await named(20, 92)
  await sweepReads(db)
  assert.equal(await count('app.piece_reads_hourly'), 27)
  assert.equal(await count(`app.piece_reads_hourly where hour < now() - interval '31 days'`), 0)
  assert.equal(await count('app.piece_sources'), 60)
})

test('one step of a sweep is limited', async () => {
  await named(4000, 93)
  for (const left of [7000, 2000, 0, 0]) {
    await db.run({ text: 'select app.sweep_reads()' })
    assert.equal(await count('app.piece_sources'), left)
  }
  const many = await admin.query<{ id: string }>(
    `with made as (insert into app.pieces (writer_id, headline, body_md)
       select $1, 'Many', 'x' from generate_series(1, 250) returning id)
     insert into app.piece_reads select id, $1, 0 from made returning piece_id as id`,
    [writer.id],
  )
  await admin.query(
    `insert into app.piece_sources select p, $2, ${today} - 2, 'name-' || n, n from unnest($1::uuid[]) p, generate_series(1, 21) n`,
    [many.rows.map(({ id }) => id), writer.id],
  )
  const cut: unknown[] = []
  for (let step = 0; step < 3; step += 1) cut.push((await db.run({ text: 'select app.cut_sources() as of' }))[0])
  assert.deepEqual(cut, [{ of: 200 }, { of: 50 }, { of: 0 }])
})

test('of a day that is over a piece keeps its twenty best sources and the sum of the others, also after weeks without a sweep', async () => {
  for (const daysAgo of [0, 2, 40]) await named(50, daysAgo)
  for (let time = 0; time < 2; time += 1) await sweepReads(db)
  for (const daysAgo of [2, 40]) {
    const { rows } = await admin.query(
      `select count(*) filter (where source <> '')::integer as names, min(visits) filter (where source <> '') as least,
              sum(visits) filter (where source = '')::integer as others
         from app.piece_sources where day = ${today} - $1::integer group by piece_id`,
      [daysAgo],
    )
    assert.deepEqual(rows, Array(3).fill({ names: 20, least: 31, others: (30 * 31) / 2 }))
  }
  assert.equal(await count(`app.piece_sources where day = ${today}`), 150)
})

test('a sweep waits for nobody who leaves, nor they for it', async () => {
  await named(21, 2)
  await admin.query(`insert into app.piece_reads_hourly values ($1, now() - interval '32 days', 1)`, [first])
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query(`update app.accounts set delete_asked_at = now(), delete_at = now() where id = $1`, [
      writer.accountId,
    ])
    await client.query('select app.remove_pieces($1, 1000)', [writer.accountId])
    await assert.rejects(sweepReads(db), { status: 503 })
    await client.query('rollback')
  } finally {
    client.release()
  }
  await sweepReads(db)
  assert.deepEqual(
    [await count('app.piece_reads_hourly'), await count("app.piece_sources where source <> ''")],
    [0, 60],
  )
})
