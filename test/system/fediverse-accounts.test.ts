import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Fetched } from '../netns/fediverse-accounts.ts'
import { runInNamespace } from '../netns/namespace.ts'

test('an inbox opens no connection to a forbidden address to fetch the account that has signed', async () => {
  const file = fileURLToPath(new URL('../netns/fediverse-accounts.ts', import.meta.url))
  const { outcomes, begun } = JSON.parse(await runInNamespace(file, '192.0.2.1')) as Fetched
  assert.ok(outcomes.length > 30, `${outcomes.length}`)
  assert.deepEqual([...new Set(outcomes)], ['undefined'])
  assert.equal(begun, 0)
})
