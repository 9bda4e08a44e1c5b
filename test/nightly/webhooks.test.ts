import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { percentilesOf, slowness } from '../../testkit/measure.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Delay of a first attempt while other webhooks have backlogs or do not answer, and when a silent server is given up. */

const { admin, subscribe } = await openWebhookSite()

/** Without pieces, which the queue does not read. */
async function pileUp(one: Subscriber, count: number): Promise<void> {
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
     select $1, 'piece.published', gen_random_uuid(), n, 'pending', '{}' from generate_series(1, $2::integer) n`,
    [one.writer.id, count],
  )
  await one.makeDue()
}

const firstAttempt = async (one: Subscriber): Promise<number> => {
  const start = performance.now()
  await one.publish()
  const first = await until(() => one.received()[0], 'the first attempt')
  return first.at - start
}

test('a backlog of 500 does not delay another writer’s first attempt by a second', async (t) => {
  const [crowded, quiet] = [await subscribe(), await subscribe()]
  crowded.behave(async (_request, response) => {
    await pause(50)
    response.end()
  })
  await pileUp(crowded, 500)
  await until(() => crowded.received().length > 4, 'the backlog moves')
  const ms = await firstAttempt(quiet)
  t.diagnostic(`${Math.round(ms)} ms, with ${500 - crowded.received().length} of another waiting`)
  assert.ok(crowded.received().length < 400, 'there was still a backlog')
  assert.ok(ms < 1_000 * slowness(), `${ms} ms`)
  await admin.query('delete from app.deliveries where writer_id = $1', [crowded.writer.id])
})

test('thirty servers that never respond do not delay it by a second and a half', async (t) => {
  const kept: ServerResponse[] = []
  const silent = await Promise.all(
    Array.from({ length: 30 }, () => subscribe((_request, response) => void kept.push(response))),
  )
  for (const one of silent) await admin.query('update app.webhooks set width = 4 where writer_id = $1', [one.writer.id])
  await Promise.all(silent.map((one) => pileUp(one, 8)))
  await until(() => silent.every((one) => one.received().length > 0), 'they are asked')
  const quiet = await subscribe()
  const ms = await firstAttempt(quiet)
  t.diagnostic(`${Math.round(ms)} ms`)
  assert.ok(ms < 1_500 * slowness(), `${ms} ms`)
  await admin.query('delete from app.deliveries where writer_id = any ($1)', [silent.map(({ writer }) => writer.id)])
  for (const response of kept) response.destroy()
})

test('a server that would respond after 15.1 seconds is given up after 15', async () => {
  const slow = slowness()
  const one = await subscribe(async (_request, response) => {
    await pause(15_100)
    response.end('Noted.')
  })
  await one.publish()
  const { id, state } = await one.until(({ last }) => last !== null)
  const [attempt] = await one.attempts(id)
  assert.deepEqual([state, attempt!.problem, attempt!.status], ['pending', 'timeout', null])
  assert.ok(attempt!.ms! >= 14_900 && attempt!.ms! < 15_000 + 2_000 * slow, `${attempt!.ms} ms`)
})

/** `PUBLICATIONS=400 node --test test/nightly/webhooks.test.ts` is the long form. */
const publications = Number(process.env['PUBLICATIONS'] ?? 40)
const limit = 1_000

test(`of ${publications} publications on a quiet site, 95 of 100 reach their receiver within a second`, async (t) => {
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
  const { p50, p95, max } = percentilesOf(waits)
  const rounded = [p50, p95, max].map((ms) => Math.round(ms))
  t.diagnostic(
    `median ${rounded[0]} ms, p95 ${rounded[1]} ms, longest ${rounded[2]} ms; machine ${slow.toFixed(1)} times slow`,
  )
  assert.ok(p95 < limit * slow, `${p95} ms`)
})
