import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Called } from '../netns/feed-hub.ts'
import { runInNamespace } from '../netns/namespace.ts'

test('the hub opens no connection to a forbidden address, neither to ask a callback nor to send it a feed', async () => {
  const file = fileURLToPath(new URL('../netns/feed-hub.ts', import.meta.url))
  const { outcomes, begun } = JSON.parse(await runInNamespace(file, '192.0.2.1')) as Called
  assert.ok(outcomes.length > 100, `${outcomes.length}`)
  assert.deepEqual([...new Set(outcomes)], ['later, false'])
  assert.equal(begun, 0)
})
