import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** A gate that depends on how busy the machine is refuses good changes: see docs/adr/0015-test-tiers.md. */

const root = join(import.meta.dirname, '..')
const files = globSync(
  [
    '{server,desk,sdk,chaos,scale}/**/*.test.ts',
    'server/testing/*.ts',
    'test/*.ts',
    'test/{spec,mcp,system,netns,browser}/*.ts',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'test/run.ts', 'test/no-clock.test.ts'] },
)

/** `Date.now()` is allowed, for expiry dates and the like. */
const clocks = /timers\/promises|\bsetTimeout\(|\bsetInterval\(|performance\.now\(|hrtime|waitForTimeout/

const allowed: Readonly<Record<string, string>> = {
  'test/until.ts': 'asks for a condition again',
  'test/wire.ts': 'ends a test whose connection is never closed',
  'test/dropping-proxy.ts': 'breaks connections at any moment: which one decides nothing',
  'test/netns/misbehaviour.ts': 'servers that send a byte at a time',
  'test/webhooks-nasty.test.ts': 'servers that send a byte at a time',
  'test/writer-tools.ts': 'kills a process at a condition',
  'scale/load/load.test.ts': 'a slow server: one that is slower still changes nothing',
  'server/testing/receiver.ts': 'notes when a delivery came, for nightly measurements',
}

test('what gates a change neither sleeps nor measures time', () => {
  assert.ok(files.length > 300)
  const found = files.filter((file) => clocks.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(found.sort(), Object.keys(allowed).sort())
})
