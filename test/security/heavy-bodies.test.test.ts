import assert from 'node:assert/strict'
import { test } from 'node:test'
import { largestPiece } from '../../server/platform/http/etag.ts'
import { heavyBodies } from '../../testkit/heavy-bodies.ts'
import { nastySite } from '../../testkit/malformed-site.ts'
import { pieces } from '../../testkit/write-api.ts'

/** How much work they make is measured by test/nightly/heavy-bodies.test.ts. */

const { app, key, writer } = await nastySite()

for (const [what, payload] of Object.entries(heavyBodies)) {
  test(`a body full of ${what} is refused with 400, by key and at the desk`, async () => {
    assert.ok(Buffer.byteLength(payload) <= largestPiece)
    const desk = { cookie: `__Host-desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    for (const [url, credential] of [
      [pieces, { authorization: `Bearer ${key}` }],
      ['/desk/api/pieces', desk],
    ] as const) {
      const headers = { ...credential, 'content-type': 'application/json' }
      const { statusCode, body } = await app.inject({ method: 'POST', url, headers, payload })
      assert.equal(statusCode, 400, `${url}: ${body.slice(0, 200)}`)
      assert.match(body, /"detail":"[^"]+"/)
    }
  })
}
