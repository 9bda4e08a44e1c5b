import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey } from '../../server/features/keys/key.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { checkedInject } from '../../testkit/openapi.ts'
import { until, waitForLockWait } from '../../testkit/waiting.ts'
import { type Caller, caller, countRows, idOf, isRefused, minimalPiece, seen } from '../../testkit/write-api.ts'

/** A revoked key stops working with the next request, in every process; requests under way succeed or fail as a whole. */

const { url, admin } = await testDatabase()
const [one, two] = [checkedInject(await testApp(url)), checkedInject(await testApp(url))]
const writer = await makeWriter(admin)

const revoke = (id: string) => admin.query('update app.api_keys set revoked_at = now() where id = $1', [id])

test('a key that two processes know stops in both with the next request after it was revoked', async () => {
  for (let times = 0; times < 20; times += 1) {
    const { key, id } = await makeKey(admin, writer)
    for (const ask of [one, two]) assert.equal((await caller(ask, key).create(minimalPiece)).statusCode, 201)
    await revoke(id)
    for (const ask of [one, two, one, two]) isRefused(await caller(ask, key).create(minimalPiece), 403, 'invalid_key')
    for (const ask of [one, two]) isRefused(await caller(ask, key).list(), 403, 'invalid_key')
  }
})

test('a disabled account stops its keys in both too', async () => {
  const barred = await makeWriter(admin)
  const { key } = await makeKey(admin, barred)
  for (const ask of [one, two]) assert.equal((await caller(ask, key).list()).statusCode, 200)
  await admin.query('update app.accounts set disabled_at = now() where id = $1', [barred.accountId])
  for (const ask of [one, two]) isRefused(await caller(ask, key).create(minimalPiece), 403, 'invalid_key')
})

/** Six clients draft through two processes with one key, which is revoked meanwhile; returns the outcome. */
async function revokedAtWork() {
  const { key, id } = await makeKey(admin, writer)
  const draft = { ...minimalPiece, headline: `Made with ${id}` }
  const made: string[] = []
  let [isRevoked, refusedAfter] = [false, 0]
  const client = async (ask: typeof one) => {
    let begunAfter = false
    while (!begunAfter) {
      begunAfter = isRevoked
      const answer = await caller(ask, key).create(draft)
      if (answer.statusCode === 201) {
        assert.equal(begunAfter, false, 'a revoked key made a draft')
        made.push(idOf(answer))
      } else {
        isRefused(answer, 403, 'invalid_key')
        assert.equal(await countRows(admin, 'app.api_keys where id = $1 and revoked_at is null', [id]), 0)
        refusedAfter += Number(begunAfter)
      }
    }
  }
  const clients = [one, two, one, two, one, two].map(client)
  await until(() => made.length >= clients.length, 'drafts are being made')
  await revoke(id)
  isRevoked = true
  await Promise.all(clients)
  const { rows } = await admin.query('select id from app.pieces where headline = $1', [draft.headline])
  return { refusedAfter, made, stored: rows.map((row) => row.id as string) }
}

test('none of the requests begun after a key was revoked succeeds, while others are under way in two processes', async () => {
  for (let times = 0; times < 3; times += 1) {
    const { refusedAfter, made, stored } = await revokedAtWork()
    assert.deepEqual(stored.sort(), made.sort(), 'what was acknowledged is what was made')
    assert.equal(refusedAfter, 6, 'each client asked once more, and was refused')
  }
})

test('a draft made in the moment its key is revoked has its first revision', async () => {
  for (let times = 0; times < 3; times += 1) {
    const { stored } = await revokedAtWork()
    assert.equal(await countRows(admin, 'app.revisions where piece_id = any($1)', [stored]), stored.length)
  }
})

/** Blocks a request at the pieces table, at a write or a read, and runs `work` meanwhile. */
async function meanwhile(
  work: () => Promise<unknown>,
  request: () => Promise<{ statusCode: number; body: string }>,
  mode: 'share' | 'access exclusive' = 'share',
) {
  const { answer } = await inTransaction(admin, async (client) => {
    await client.query(`lock table app.pieces in ${mode} mode`)
    const held = request()
    await waitForLockWait(admin, 'app.pieces')
    await work()
    return { answer: held }
  })
  return answer
}

test('a create that was let in and then loses its key is refused, or was made before', async () => {
  const { key, id } = await makeKey(admin, writer)
  const before = await countRows(admin, 'app.pieces')
  const answer = await meanwhile(
    () => revoke(id),
    () => caller(one, key).create(minimalPiece, { 'idempotency-key': 'lost' }),
  )
  assert.ok([201, 403].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
  assert.equal(await countRows(admin, 'app.pieces'), before + Number(answer.statusCode === 201))
})

test('a change that was let in and then loses its key is refused, or was made before', async () => {
  const { key, id } = await makeKey(admin, writer)
  const asWriter = caller(one, key)
  const piece = idOf(await asWriter.create(minimalPiece))
  const answer = await meanwhile(
    () => revoke(id),
    () => asWriter.edit(piece, { headline: 'Changed' }, '*'),
  )
  const { rows } = await admin.query('select headline from app.pieces where id = $1', [piece])
  const isChanged = rows[0].headline === 'Changed'
  assert.ok([200, 403].includes(answer.statusCode), `${answer.statusCode} ${answer.body}`)
  assert.equal(isChanged, answer.statusCode === 200)
})

test('whatever was let in and then loses its key is 403 like any other: never an empty list, a missing piece or a lie', async () => {
  for (const [name, ask, mode] of [
    ['the list', (who: Caller) => who.list(), 'access exclusive'],
    ['a piece', (who: Caller, id: string) => who.read(id), 'access exclusive'],
    ['a change', (who: Caller, id: string) => who.edit(id, { headline: 'Changed' }, '*'), 'share'],
    ['a deletion', (who: Caller, id: string) => who.remove(id, '*'), 'share'],
  ] as const) {
    const { key, id } = await makeKey(admin, writer)
    const who = caller(one, key)
    const piece = idOf(await who.create(minimalPiece))
    const answer = await meanwhile(
      () => revoke(id),
      () => ask(who, piece),
      mode,
    )
    assert.deepEqual([answer.statusCode, JSON.parse(answer.body).reason], [403, 'invalid_key'], name)
    assert.equal(
      await countRows(admin, 'app.pieces where id = $1 and headline = $2', [piece, minimalPiece.headline]),
      1,
      name,
    )
  }
})

/** Anyone who finds a key in public can have it revoked. */

const nobody = caller(one)
const report = (body: unknown) => nobody.send('POST', '/api/v1/leaked-keys', body)
const found = (token: string) => ({
  token,
  type: 'standfirst_api_key',
  url: 'https://code.example/leak',
  source: 'commit',
})
const emailsTo = (account: string) =>
  countRows(
    admin,
    `jobs.job where name = 'mail' and data -> 'to' ->> 'account' = $1 and data ->> 'letter' = 'key-leaked'`,
    [account],
  )

test('a reported key is refused from then on, its writer is emailed once, and the trail says so', async () => {
  const { key, id } = await makeKey(admin, writer)
  const other = await makeKey(admin, writer)
  assert.equal((await caller(one, key).list()).statusCode, 200)
  for (const times of [1, 2]) {
    const answer = await report([found(key), found(newKey().key)])
    assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true }], `the ${times}. report`)
  }
  isRefused(await caller(one, key).list(), 403, 'invalid_key')
  assert.equal((await caller(one, other.key).list()).statusCode, 200)
  assert.equal(await emailsTo(writer.accountId), 1)
  const { rows } = await admin.query(`select note from app.writer_audit where act = 'key_leaked' and writer_id = $1`, [
    writer.id,
  ])
  assert.deepEqual(rows, [{ note: `${key.slice(0, 12)}…${key.slice(-4)}` }])
  const { rows: kept } = await admin.query('select revoked_at from app.api_keys where id = $1', [id])
  assert.ok(kept[0].revoked_at)
})

test('the answer is the same for a live key, a dead one, one that never was and what is none', async () => {
  const live = await makeKey(admin, writer)
  const dead = await makeKey(admin, writer, { revoked: true })
  const answers = [live.key, dead.key, newKey().key, 'x', ''].map(async (token) => seen(await report([found(token)])))
  const [first, ...others] = await Promise.all(answers)
  for (const answer of others) assert.deepEqual(answer, first)
})

test('what is no list of reports is refused, and a report needs only its token', async () => {
  for (const body of [
    [],
    {},
    [{}],
    ['x'],
    [{ token: 5 }],
    [{ token: 'x'.repeat(513) }],
    Array(101).fill({ token: 'x' }),
  ]) {
    isRefused(await report(body), 400, 'validation_failed')
  }
  assert.equal((await report([{ token: newKey().key }])).statusCode, 200)
})

test('reports are limited by network, as reads are', async () => {
  const few = caller(checkedInject(await testApp(url, { RATE_READ: '2' })))
  const again = () => few.send('POST', '/api/v1/leaked-keys', [found(newKey().key)])
  assert.deepEqual([(await again()).statusCode, (await again()).statusCode], [200, 200])
  isRefused(await again(), 429, 'rate_limited')
})
