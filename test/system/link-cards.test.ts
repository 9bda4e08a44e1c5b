import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Fetched } from '../netns/link-cards.ts'
import { runInNamespace } from '../netns/namespace.ts'

test('no forbidden address is called for a card, neither by a link nor by a redirect', async () => {
  const file = fileURLToPath(new URL('../netns/link-cards.ts', import.meta.url))
  const { results, redirected, begun } = JSON.parse(await runInNamespace(file, '192.0.2.1')) as Fetched
  assert.ok(results.length > 40)
  assert.ok(!results.includes('fetched'))
  assert.deepEqual([...new Set(redirected)], ['never'])
  assert.equal(begun, 0, 'the kernel began a connection')
})
