import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Report } from '../netns/attempts.ts'
import { runInNamespace } from '../netns/namespace.ts'
import { unreachable } from '../netns/zone.ts'

/** How long calls take when something does not answer; test/system/outbound.test.ts checks their outcome. */

let report: Report
before(async () => {
  const attempts = fileURLToPath(new URL('../netns/attempts.ts', import.meta.url))
  report = JSON.parse(await runInNamespace(attempts, unreachable)) as Report
})

test('a call that gets a response takes less than two seconds', () => {
  const { ms } = report.answers.outcomes['hello']!
  assert.ok(ms < 2_000, `${ms} ms`)
})

test('each time limit ends a call: name resolution, connection, total', () => {
  // In the namespace: names 300 ms, connection 400, the whole 700.
  const limits = [300, 400, 700, 700, 700]
  for (const [place, { ms }] of Object.values(report.waits.outcomes).entries()) {
    const limit = limits[place]!
    assert.ok(ms >= limit - 20 && ms < limit + 1_000, `${ms} ms of ${limit}`)
  }
})

test('time spent on name resolution and connection is not available for the response', () => {
  const [late] = Object.values(report.late.outcomes)
  // Name resolution took 900 ms of 1,000.
  assert.ok(late!.ms >= 980 && late!.ms < 1_800, `${late!.ms} ms`)
})
