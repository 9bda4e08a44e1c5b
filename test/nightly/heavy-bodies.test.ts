import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { largestTextBody } from '../../server/platform/http/caching.ts'
import { heavyBodies } from '../../testkit/hard-bodies.ts'
import { slowness } from '../../testkit/measure.ts'
import { malformedSite, minimalPiece, pieces } from '../../testkit/write-api.ts'

/** CPU time of large invalid bodies, measured while nothing else runs. */

const { app, both, key, writer } = await malformedSite()

/** Milliseconds of CPU time, the minimum of up to ten tries, since the JIT warms up and the machine may be busy. */
async function workOf(ask: () => Promise<{ statusCode: number; body: string }>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 10 && least >= mostWork; tries += 1) {
    const before = process.cpuUsage()
    const { statusCode, body } = await ask()
    const { user, system } = process.cpuUsage(before)
    if (statusCode === 503 && tries < 9) {
      await pause(500)
      continue
    }
    assert.equal(statusCode, 400, body.slice(0, 200))
    assert.match(body, /"detail":"[^"]+"/)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
const mostWork = 50 * slowness()

for (const [what, payload] of Object.entries(heavyBodies)) {
  test(`a body full of ${what} is refused within 50 ms of work, by key and at the desk`, async () => {
    assert.ok(Buffer.byteLength(payload) <= largestTextBody)
    const desk = { cookie: `__Host-desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    for (const [url, credential] of [
      [pieces, { authorization: `Bearer ${key}` }],
      ['/desk/api/pieces', desk],
    ] as const) {
      const headers = { ...credential, 'content-type': 'application/json' }
      const ms = await workOf(() => app.inject({ method: 'POST', url, headers, payload }))
      assert.ok(ms < mostWork, `${url}: ${ms} ms`)
    }
  })
}

test('an address of 500,000 characters that is hard to parse is refused within three seconds', async () => {
  for (const hard of ['http://', 'https://a.'.repeat(9), 'http://[', 'http://%', 'a:']) {
    const began = performance.now()
    await both({ ...minimalPiece, external_url: hard + 'a.0:%'.repeat(100_000) })
    assert.ok(performance.now() - began < 3_000, `${hard} took ${performance.now() - began} ms`)
  }
})
