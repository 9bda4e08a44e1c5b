import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { countingPool } from '#config/pools.ts'
import type { Database } from '#platform/db/database.ts'
import { testConfig, testDatabase } from '../../../testkit/database.ts'
import { makePiece, makeWriter } from '../../../testkit/factories.ts'
import { countReads, maxPending, maxPerMinute, type ReadCounter } from './read-counter.ts'
import type { Reader } from './visitor-hash.ts'

/** The counter alone, with a database that fails and comes back, and a change of day. */

const { url, admin } = await testDatabase()
const writer = await makeWriter(admin)
const config = testConfig({ DATABASE_URL: url })
/** Each from a different network. */
const reader = (number: number): Reader => {
  const network = `10.${number >> 8}.${number % 256}`
  return { address: `${network}.1`, network, agent: `Agent ${number}` }
}
/** All from one network. */
const neighbour = (number: number): Reader => ({ ...reader(number), network: '198.51.100' })

/** The real pool, whose statements can be made to fail before or after they run. */
function pool(): { db: Database; fail: (how: 'never' | 'before' | 'after') => void } {
  const db = countingPool(config)!
  let failing = 'never'
  const query = db.query.bind(db)
  db.query = async (statement, parameters) => {
    if (failing === 'before') throw new Error('no database')
    const rows = await query(statement, parameters)
    if (failing === 'after') throw new Error('no answer')
    return rows
  }
  return {
    db,
    fail: (how) => {
      failing = how
    },
  }
}

function counter(db: Database | undefined) {
  const reported = { dropped: 0, limited: 0, troubles: 0 }
  const counting: ReadCounter = countReads(db, {
    onDropped: () => {
      reported.dropped += 1
    },
    onLimited: (count) => {
      reported.limited += count
    },
    onTrouble: () => {
      reported.troubles += 1
    },
  })
  // Some are closed already.
  after(() => counting.close().catch(() => {}))
  return { counting, reported }
}

const readsOf = async (id: string): Promise<number> =>
  Number((await admin.query('select reads from app.piece_reads where piece_id = $1', [id])).rows[0]?.reads ?? 0)

test('two processes count the same reader once, since they share the salt of the day', async () => {
  const id = await makePiece(admin, writer)
  const [one, other] = [counter(pool().db).counting, counter(pool().db).counting]
  for (const counting of [one, other]) for (let who = 0; who < 20; who += 1) counting.read(id, reader(who))
  await Promise.all([one.flush(), other.flush()])
  assert.equal(await readsOf(id), 20)
})

/** The current minute of the limit, and how to make it the previous one. */
const minute = async (): Promise<number> =>
  Number((await admin.query('select extract(epoch from now())::integer / 60 as minute')).rows[0].minute)
const nextMinute = () =>
  admin.query("update app.read_limits set since = since - interval '1 minute' where isfinite(since)")

test('processes share the limit of a network, of reads and of visits each, and the next minute counts again', async () => {
  const id = await makePiece(admin, writer)
  const all = Array.from({ length: 3 }, () => counter(pool().db))
  const began = await minute()
  const rounds = 4
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, { counting }] of all.entries())
      for (let who = 0; who < 40; who += 1) {
        const one = neighbour(round * 1000 + place * 100 + who)
        counting.read(id, one)
        counting.visit(id, one, 'news.example')
      }
    await Promise.all(all.map(({ counting }) => counting.flush()))
    await nextMinute()
  }
  const minutes = rounds + (await minute()) - began
  const { rows } = await admin.query(
    'select sum(visits)::integer as visits from app.piece_sources where piece_id = $1',
    [id],
  )
  for (const count of [await readsOf(id), rows[0].visits])
    assert.ok(count >= rounds * maxPerMinute && count <= minutes * maxPerMinute, `${count} in ${minutes} minutes`)
  const limited = all.reduce((sum, { reported }) => sum + reported.limited, 0)
  assert.equal(limited, rounds * 3 * 40 * 2 - (await readsOf(id)) - rows[0].visits)
})

test('of one network no more wait than could count, so that it takes no room of others', async () => {
  const id = await makePiece(admin, writer)
  const { db, fail } = pool()
  const { counting, reported } = counter(db)
  fail('before')
  for (let who = 0; who < maxPending; who += 1) counting.read(id, neighbour(who))
  counting.read(id, reader(1))
  assert.deepEqual([reported.dropped, reported.limited], [0, maxPending - maxPerMinute])
})

test('a reader who reloads uses up nothing of what their network has', async () => {
  const id = await makePiece(admin, writer)
  const { counting, reported } = counter(pool().db)
  await nextMinute()
  for (let time = 0; time < 2 * maxPerMinute; time += 1) {
    counting.read(id, neighbour(90_000))
    await counting.flush()
  }
  counting.read(id, neighbour(90_001))
  await counting.flush()
  assert.deepEqual([await readsOf(id), reported.limited], [2, 0])
})

test('many processes that write the same pieces at once neither wait for each other for ever nor miscount', async () => {
  const ids: string[] = []
  for (let number = 0; number < 12; number += 1) ids.push(await makePiece(admin, writer, { headline: `N ${number}` }))
  const all = Array.from({ length: 5 }, () => counter(pool().db))
  for (let round = 0; round < 4; round += 1) {
    for (const [place, { counting }] of all.entries()) {
      const turned = place % 2 ? ids : ids.toReversed()
      for (const id of turned)
        for (let who = 0; who < 30; who += 1) counting.read(id, reader(round * 1000 + place * 100 + who))
    }
    await Promise.all(all.map(({ counting }) => counting.flush()))
  }
  // Hits that waited too long for a lock are written next time.
  for (const { counting } of all) await counting.flush()
  for (const id of ids) assert.equal(await readsOf(id), 4 * 5 * 30)
})

test('what could not be written is written later, and trouble is reported once', async () => {
  const id = await makePiece(admin, writer)
  const { db, fail } = pool()
  const { counting, reported } = counter(db)
  fail('before')
  counting.read(id, reader(1))
  await counting.flush()
  counting.read(id, reader(2))
  await counting.flush()
  assert.deepEqual([await readsOf(id), reported.troubles], [0, 1])
  fail('never')
  await counting.flush()
  assert.equal(await readsOf(id), 2)
})

test('what was written and whose answer was lost counts once', async () => {
  const id = await makePiece(admin, writer)
  const { db, fail } = pool()
  const { counting } = counter(db)
  counting.read(id, reader(1))
  await counting.flush()
  fail('after')
  counting.read(id, reader(2))
  counting.visit(id, reader(2), 'news.example')
  await counting.flush()
  fail('never')
  await counting.flush()
  assert.equal(await readsOf(id), 2)
  const { rows } = await admin.query('select source, visits from app.piece_sources where piece_id = $1', [id])
  assert.deepEqual(rows, [{ source: 'news.example', visits: 1 }])
})

test('while the database is away no more than so many wait, and the rest are reported as dropped', async () => {
  const id = await makePiece(admin, writer)
  const { db, fail } = pool()
  const { counting, reported } = counter(db)
  fail('before')
  for (let who = 0; who < maxPending + 25; who += 1) counting.read(id, reader(who))
  assert.equal(reported.dropped, 25)
  fail('never')
  await counting.flush()
  assert.equal(await readsOf(id), maxPending)
})

test('the rest is written when the process ends', async () => {
  const id = await makePiece(admin, writer)
  const { counting } = counter(pool().db)
  counting.read(id, reader(1))
  await counting.close()
  assert.equal(await readsOf(id), 1)
})

test('a new day has a new salt, and its readers count again', async () => {
  const id = await makePiece(admin, writer)
  const { counting } = counter(pool().db)
  counting.read(id, reader(1))
  await counting.flush()
  const { rows: before } = await admin.query<{ salt: Buffer }>('select salt from app.reader_salts')
  // Simulates that it was yesterday: the salt is deleted and the hashes are in the other table.
  await admin.query('delete from app.reader_salts')
  await admin.query('update app.read_marks set is_odd = not is_odd')
  const tomorrow = counter(pool().db).counting
  tomorrow.read(id, reader(1))
  await tomorrow.flush()
  assert.equal(await readsOf(id), 2)
  const { rows: afterwards } = await admin.query<{ salt: Buffer }>('select salt from app.reader_salts')
  assert.equal(afterwards.length, 1)
  assert.ok(!before[0]!.salt.equals(afterwards[0]!.salt))
})

test('without a database that can be written to nothing is counted, and nothing fails', async () => {
  const { counting, reported } = counter(undefined)
  counting.read(randomUUID(), reader(1))
  await counting.flush()
  assert.deepEqual(reported, { dropped: 0, limited: 0, troubles: 0 })
  assert.equal(countingPool(testConfig({ REPLICA_DATABASE_URL: url })), undefined)
})

/** A flush by the timer may be running, which does not include later reads. */
async function written(counting: ReadCounter): Promise<void> {
  await counting.flush()
  await counting.flush()
}

for (const [end, counted] of [
  ['rollback', 2],
  ['commit', 0],
] as const) {
  test(`reads of pieces that are being deleted hold up nobody, and count ${counted ? 'if that fails' : 'no more'}`, async () => {
    const leaver = await makeWriter(admin)
    const known = await makePiece(admin, leaver, { headline: 'Read before' })
    const unread = await makePiece(admin, leaver, { headline: 'Not read before' })
    const other = await makePiece(admin, writer)
    const { counting, reported } = counter(pool().db)
    counting.read(known, reader(1))
    await written(counting)
    const client = await admin.connect()
    try {
      await client.query('begin')
      await client.query(`update app.accounts set delete_asked_at = now(), delete_at = now() where id = $1`, [
        leaver.accountId,
      ])
      await client.query('select app.remove_pieces($1, 10)', [leaver.accountId])
      for (const id of [known, unread, other]) counting.read(id, reader(2))
      await written(counting)
      counting.read(other, reader(3))
      await written(counting)
      assert.deepEqual([await readsOf(other), reported.troubles], [2, 0])
      await client.query(end)
    } finally {
      client.release()
    }
    await written(counting)
    assert.deepEqual([await readsOf(known), await readsOf(unread)], [counted, counted / 2])
    await written(counting)
    assert.deepEqual([await readsOf(other), reported], [2, { dropped: 0, limited: 0, troubles: 0 }])
  })
}
