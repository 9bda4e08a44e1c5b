import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Delivered } from '../netns/fediverse.ts'
import { runInNamespace } from '../netns/namespace.ts'

test('a delivery to the fediverse opens no connection to a forbidden address, whichever way an inbox names it', async () => {
  const file = fileURLToPath(new URL('../netns/fediverse.ts', import.meta.url))
  const { outcomes, begun } = JSON.parse(await runInNamespace(file, '192.0.2.1')) as Delivered
  assert.ok(outcomes.length > 50, `${outcomes.length}`)
  assert.deepEqual([...new Set(outcomes)], ['later, false'])
  assert.equal(begun, 0)
})
