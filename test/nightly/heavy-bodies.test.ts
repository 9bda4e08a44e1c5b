import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { largestPiece } from '../../server/platform/http/etag.ts'
import { heavyBodies } from '../../testkit/heavy-bodies.ts'
import { nastySite } from '../../testkit/malformed-site.ts'
import { pieces } from '../../testkit/write-api.ts'
import { slowness } from './machine-speed.ts'

/** How much work a large and wrong body makes, measured while nothing else runs. */

const { app, key, writer } = await nastySite()

/** Milliseconds of work, the least of ten tries at most: the compiler is still at it, and the machine may be busy too. */
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
    assert.ok(Buffer.byteLength(payload) <= largestPiece)
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
