import assert from 'node:assert/strict'
import { test } from 'node:test'
import { malformedSite, minimalPiece } from '../../testkit/write-api.ts'

const { both } = await malformedSite()

test('an address of 500,000 characters that is hard to read is refused within three seconds', async () => {
  for (const hard of ['http://', 'https://a.'.repeat(9), 'http://[', 'http://%', 'a:']) {
    const began = performance.now()
    await both({ ...minimalPiece, external_url: hard + 'a.0:%'.repeat(100_000) })
    assert.ok(performance.now() - began < 3_000, `${hard} took ${performance.now() - began} ms`)
  }
})
