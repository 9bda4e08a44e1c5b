import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite } from '../../testkit/webhook-site.ts'
import { slowness } from './machine-speed.ts'

/** `PUBLICATIONS=400 node --test test/nightly/webhooks-promptness.test.ts` is the long form. */
const publications = Number(process.env['PUBLICATIONS'] ?? 40)
const limit = 1_000

const { subscribe } = await openWebhookSite()

test(`of ${publications} publications in a quiet site, 95 of 100 are at their receiver within a second`, async (t) => {
  const writers = await Promise.all(Array.from({ length: 4 }, () => subscribe()))
  const slow = slowness()
  const waits: number[] = []
  for (let number = 0; number < publications; number += 1) {
    const one = writers[number % writers.length]!
    const before = one.received().length
    const id = await one.desk.begin()
    // Not in step with the worker's timers.
    await pause(Math.random() * 50)
    const start = performance.now()
    assert.equal((await one.desk.act('publish', id)).statusCode, 200)
    const delivery = await until(() => one.received()[before], 'it arrived')
    // Measured from before the request, so it includes rendering and commit.
    waits.push(delivery.at - start)
  }
  waits.sort((a, b) => a - b)
  const [median, p95, most] = [0.5, 0.95, 1].map((share) => waits[Math.ceil(share * waits.length) - 1]!)
  const rounded = [median, p95, most].map((ms) => Math.round(ms!))
  t.diagnostic(
    `median ${rounded[0]} ms, p95 ${rounded[1]} ms, longest ${rounded[2]} ms; machine ${slow.toFixed(1)} times slow`,
  )
  assert.ok(p95! < limit * slow, `${p95} ms`)
})
