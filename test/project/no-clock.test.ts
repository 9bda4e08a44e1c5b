import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** A gate that depends on how busy the machine is refuses good changes: see docs/adr/0015-test-tiers.md. */

const root = join(import.meta.dirname, '../..')
const files = globSync(['{server,desk,sdk,labs,testkit}/**/*.test.ts', 'testkit/*.ts', 'test/*/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/{nightly,onboarding,authz-matrix,runner}/**', 'test/project/no-clock.test.ts'],
})

/** `Date.now()` is allowed, for expiry dates and the like. */
const clocks = /timers\/promises|\bsetTimeout\(|\bsetInterval\(|performance\.now\(|hrtime|waitForTimeout/

const allowed: Readonly<Record<string, string>> = {
  'testkit/waiting.ts': 'asks for a condition again',
  'testkit/http.ts': 'ends a test whose connection is never closed',
  'testkit/network.ts': 'breaks connections at any moment: which one decides nothing',
  'test/netns/fake-internet.ts': 'servers that send a byte at a time',
  'test/webhooks/malformed.test.ts': 'servers that send a byte at a time',
  'testkit/cli.ts': 'kills a process at a condition',
  'testkit/load/load.test.ts': 'a slow server: one that is slower still changes nothing',
  'testkit/desk-client.ts': 'used by labs alone',
  'testkit/measure.ts': 'used by labs and nightly runs alone',
  'testkit/receivers.ts': 'notes when a delivery came, for nightly measurements',
}

test('what gates a change neither sleeps nor measures time', () => {
  assert.ok(files.length > 300)
  const found = files.filter((file) => clocks.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(found.sort(), Object.keys(allowed).sort())
})
