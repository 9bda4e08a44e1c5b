import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { assertDocumented, besideDeafClient, besideIdleClients, exchange, slowRequests } from '../../testkit/http.ts'
import { listen } from '../../testkit/network.ts'

/** Slow clients against the shipped limits; test/security/malformed-sockets.test.ts tests that limits exist. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const id = await makePiece(admin, writer, { headline: 'On tea', body_md: 'Some tea.' })
const { port } = await listen(app)

async function timed(bytes: string, manners?: Parameters<typeof exchange>[2]) {
  const began = performance.now()
  const heard = await exchange(port, bytes, manners)
  return { ...heard, milliseconds: performance.now() - began }
}

async function othersAreAnswered(): Promise<void> {
  for (let number = 0; number < 10; number += 1) {
    const { status, milliseconds } = await timed(`GET /api/public/pieces/${id} HTTP/1.1\r\nHost: site.test\r\n\r\n`)
    assert.equal(status, 200)
    assert.ok(milliseconds < 2000, `${milliseconds} ms`)
  }
}

describe('clients that take their time', { concurrency: true }, () => {
  const longest = 15_000

  const slow = (what: string, bytes: string, drip: string) =>
    test(`${what} of one byte a second is closed with 408 within 15 s`, async () => {
      const heard = await timed(bytes, { slowly: { bytes: drip, every: 1000 }, untilClosed: true })
      assertDocumented(heard.status, heard.body, what)
      assert.ok(heard.closed && heard.milliseconds < longest, `open for ${heard.milliseconds} ms`)
      assert.equal(heard.answers, 1, 'one request, one answer')
      assert.equal(heard.status, 408)
    })
  for (const request of slowRequests) slow(...request)

  test('others get responses within two seconds despite a client that never reads', () =>
    besideDeafClient(port, othersAreAnswered))

  test('others get responses within two seconds despite hundreds of idle connections', () =>
    besideIdleClients(port, othersAreAnswered))
})
