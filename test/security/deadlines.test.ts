import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { createDeadlines } from '../../server/platform/http/deadline.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { captureLog } from '../../testkit/log.ts'
import { listen } from '../../testkit/network.ts'
import { manualTimers, until, waitForLockWait } from '../../testkit/waiting.ts'
import { minimalPiece } from '../../testkit/write-api.ts'

/** A request that exceeds its deadline while a lock blocks it; the test controls the clock. */

const { log, lines } = captureLog()
const timers = manualTimers()
const { url, admin, app } = await testSite({}, log, createDeadlines(1, timers.start))
const writer = await makeWriter(admin)
const { key } = await makeKey(admin, writer)
const cookie = `__Host-desk=${writer.sessionToken}`
const atDesk = { cookie, 'sec-fetch-site': 'same-origin' }

const linesOf = (event: string) => lines.map((line) => JSON.parse(line)).filter((line) => line.event === event)

/** Sends a request while `table` is locked, and expires its deadline once it waits for the lock. */
const outOfTime = <T>(table: string, ask: () => Promise<T>): Promise<T> =>
  inTransaction(admin, async (client: pg.PoolClient) => {
    await client.query(`lock table ${table} in access exclusive mode`)
    const answer = ask()
    await waitForLockWait(admin, table)
    lines.length = 0
    timers.pass()
    return answer
  })

describe('a request out of time', () => {
  test('with a body is answered 503 in the usual shape, and one line of log names its route, id and time', async () => {
    const answer = await outOfTime('app.pieces', () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/pieces',
        headers: { authorization: `Bearer ${key}` },
        payload: minimalPiece,
      }),
    )
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.headers['retry-after'], '2')
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { ok, reason, detail } = answer.json()
    assert.deepEqual([ok, reason], [false, 'overloaded'])
    assert.match(detail, /took too long.+Check before you try again/)
    const [line, ...others] = linesOf('deadline_passed')
    assert.deepEqual([line.method, line.route, others.length], ['POST', '/api/v1/pieces', 0])
    assert.equal(typeof line.ms, 'number')
    const answered = await until(() => linesOf('answered')[0], 'the answer is noted')
    assert.deepEqual([answered.request, answered.status], [line.request, 503])
  })

  test('without a body is answered so too, also before its handler has begun', async () => {
    for (const table of ['app.sessions', 'app.pieces']) {
      const answer = await outOfTime(table, () => app.inject({ url: '/desk/api/pieces', headers: atDesk }))
      assert.equal(answer.statusCode, 503, table)
      assert.match(answer.json().detail, /Try again in a moment/)
      assert.equal(linesOf('deadline_passed').length, 1)
    }
    assert.equal((await app.inject({ url: '/desk/api/pieces', headers: atDesk })).statusCode, 200)
  })

  test('whose answer has begun is cut off', async () => {
    const { port } = await listen(app)
    const download = await outOfTime('app.product_audit', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/desk/api/account/export`, { headers: { cookie } })
      return { status: answer.status, body: answer.arrayBuffer().then(String, () => 'cut off') }
    })
    assert.equal(download.status, 200)
    assert.equal(await download.body, 'cut off')
    assert.equal(linesOf('deadline_passed')[0].route, '/desk/api/account/export')
  })

  test('that has been answered is timed no more', async () => {
    await until(() => timers.waiting().length === 0)
    await app.inject('/api/public/pieces/recent')
    assert.deepEqual(timers.waiting(), [])
  })
})

test('every limit is multiplied by the factor: 8 s for most, more for uploads, exports and leaving', async () => {
  const started = new Set<number>()
  const noting = createDeadlines(3, (_callback, milliseconds) => {
    started.add(milliseconds)
    return { stop: () => {} }
  })
  const other = await testApp(url, {}, undefined, noting)
  await other.inject('/api/public/pieces/recent')
  assert.deepEqual([...started], [24_000])
  await other.inject({ method: 'POST', url: '/desk/api/media', headers: atDesk })
  await other.inject({ url: '/desk/api/account/export', headers: { cookie } })
  assert.deepEqual([...started], [24_000, 60_000, 1_830_000])
})
