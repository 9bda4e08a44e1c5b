import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey } from '../../server/features/keys/key.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { checkedInject } from '../../testkit/openapi.ts'
import { caller, countRows, isRefused, seen } from '../../testkit/write-api.ts'

/** Anyone who finds a key in public can have it revoked. */

const { url, admin, ask } = await testSite()
const writer = await makeWriter(admin)
const nobody = caller(ask)
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
  assert.equal((await caller(ask, key).list()).statusCode, 200)
  for (const times of [1, 2]) {
    const answer = await report([found(key), found(newKey().key)])
    assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true }], `the ${times}. report`)
  }
  isRefused(await caller(ask, key).list(), 403, 'invalid_key')
  assert.equal((await caller(ask, other.key).list()).statusCode, 200)
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
