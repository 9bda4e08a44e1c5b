import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import type { Behaviour } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Concurrency limits of deliveries, and fairness between webhooks. */

const { admin, work, subscribe, workerRound } = await openWebhookSite()

const set = (one: Subscriber, what: string) =>
  admin.query(`update app.webhooks set ${what} where writer_id = $1`, [one.writer.id])
const widthOf = async (one: Subscriber): Promise<number> =>
  (await admin.query('select width from app.webhooks where writer_id = $1', [one.writer.id])).rows[0].width
const delivered = (one: Subscriber, count: number) =>
  one.untilWebhook(({ deliveries }) => deliveries.delivered === count)

/** Publishes many pieces while the webhook is paused. */
async function publishMany(one: Subscriber, count: number): Promise<void> {
  await one.desk.ask('POST', 'webhook/pause')
  for (let number = 0; number < count; number += 1) await one.publish({ headline: `Piece ${number}` })
}
const resume = (one: Subscriber) => one.desk.ask('POST', 'webhook/resume')

/** More deliveries without pieces, which the queue does not read. */
async function pileUp(one: Subscriber, count: number): Promise<void> {
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
     select $1, 'piece.published', gen_random_uuid(), n, 'pending', '{}' from generate_series(1, $2::integer) n`,
    [one.writer.id, count],
  )
  await one.makeDue()
}

/** A server that holds every request until released, and its maximum of concurrent requests. */
function holdingServer(status = 200) {
  const held = new Set<ServerResponse>()
  let isHolding = true
  const answer = (response: ServerResponse) => {
    held.delete(response)
    response.writeHead(status, { 'retry-after': '86400' }).end()
  }
  const server = {
    held,
    most: 0,
    behaviour: ((_request, response) => {
      held.add(response)
      server.most = Math.max(server.most, held.size)
      if (!isHolding) setImmediate(answer, response)
    }) as Behaviour,
    letGo: () => {
      isHolding = false
      for (const response of held) answer(response)
    },
  }
  return server
}

describe('at once', () => {
  test('a server that answers is asked four things, never more, and two workers do not make it eight', async () => {
    const second = await work()
    const server = holdingServer()
    const one = await subscribe()
    await publishMany(one, 4)
    await set(one, 'width = 4')
    one.behave(server.behaviour)
    await resume(one)
    await pileUp(one, 60)
    await until(() => server.held.size >= 4, 'four are under way')
    await workerRound()
    assert.equal(server.held.size, 4)
    server.letGo()
    await delivered(one, 64)
    assert.equal(server.most, 4)
    const ids = one.received().map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [64, 64], 'each once')
    await second.stop()
  })

  for (const status of [429, 502, 503, 504]) {
    test(`a server that answers ${status} is asked one thing at a time`, async () => {
      const one = await subscribe()
      await set(one, 'width = 4')
      const server = holdingServer(status)
      one.behave(status)
      await one.publish()
      await one.until(({ last }) => last?.status === status)
      assert.equal(await widthOf(one), 1)
      one.behave(server.behaviour)
      await pileUp(one, 6)
      await until(() => server.held.size > 0, 'it is asked again')
      await workerRound()
      assert.equal(server.held.size, 1)
      server.letGo()
      await one.untilWebhook(({ failures }) => failures >= 7)
      assert.equal(server.most, 1)
    })
  }

  test('with every success one more is asked at once, up to four', async () => {
    const one = await subscribe()
    await set(one, 'width = 1')
    for (const [count, width] of [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 4],
    ] as const) {
      await one.publish()
      await delivered(one, count)
      assert.equal(await widthOf(one), width)
    }
  })
})

describe('a server that failed ten times in a row', () => {
  test('is asked once a minute until it answers; its writer’s ping goes through, and its answer ends the rest', async () => {
    const one = await subscribe(500)
    await pileUp(one, 14)
    const resting = await one.untilWebhook(({ rests_until }) => rests_until !== null)
    const { rows } = await admin.query(
      `select extract(epoch from w.rests_until - max(d.last_at))::float as seconds
         from app.webhooks w join app.deliveries d using (writer_id) where w.writer_id = $1 group by w.rests_until`,
      [one.writer.id],
    )
    assert.deepEqual(rows, [{ seconds: 60 }])
    assert.equal(resting.failures, 10)
    await set(one, "rests_until = clock_timestamp() + interval '1 hour'")
    await one.makeDue()
    await workerRound()
    assert.equal(one.received().length, 10, 'it rests')

    await set(one, 'rests_until = clock_timestamp()')
    await one.makeDue()
    await one.untilWebhook(({ failures, rests_until }) => failures === 11 && rests_until !== null)
    await set(one, "rests_until = clock_timestamp() + interval '1 hour'")
    await one.makeDue()
    await workerRound()
    assert.equal(one.received().length, 11, 'one probe, and it rests again')

    one.behave(200)
    await admin.query("update app.deliveries set created_at = created_at - interval '1 minute' where writer_id = $1", [
      one.writer.id,
    ])
    assert.equal((await one.desk.ask('POST', 'webhook/ping')).statusCode, 202)
    await one.untilWebhook(({ failures }) => failures === 0)
    await one.makeDue()
    await delivered(one, 14)
  })

  test('a probe that succeeds opens the way for all the others', async () => {
    const one = await subscribe(500)
    await pileUp(one, 12)
    await one.untilWebhook(({ rests_until }) => rests_until !== null)
    one.behave(200)
    await set(one, 'rests_until = clock_timestamp()')
    await one.makeDue()
    await delivered(one, 12)
  })
})

describe('nobody waits for another', () => {
  test('a backlog of 500 at a server that holds its requests does not keep another writer’s first attempt', async () => {
    const [crowded, quiet] = [await subscribe(), await subscribe()]
    const server = holdingServer()
    crowded.behave(server.behaviour)
    await pileUp(crowded, 500)
    await until(() => server.held.size > 0, 'the crowded server is asked')
    await quiet.publish()
    await delivered(quiet, 1)
    assert.equal((await crowded.webhook()).deliveries.delivered, 0, 'it was served before all of the backlog')
    await admin.query('delete from app.deliveries where writer_id = $1', [crowded.writer.id])
    server.letGo()
  })

  test('while a backlog of 500 is being sent, another writer’s first attempt comes before nearly all of it', async () => {
    const [crowded, quiet] = [await subscribe(), await subscribe()]
    await pileUp(crowded, 500)
    await until(() => crowded.received().length > 4, 'the backlog moves')
    await quiet.publish()
    const before = crowded.received().length
    const first = await until(() => quiet.received()[0], 'the first attempt')
    const meanwhile = crowded.received().filter(({ at }) => at < first.at).length - before
    // One claim takes at most four of the backlog; then the other webhook is next.
    assert.ok(meanwhile < 50, `${meanwhile} of the backlog came first`)
    await admin.query('delete from app.deliveries where writer_id = $1', [crowded.writer.id])
  })

  test('while fifty servers hold their requests, the others are all served', async () => {
    const server = holdingServer()
    const silent = await Promise.all(Array.from({ length: 50 }, () => subscribe()))
    const healthy = await Promise.all(Array.from({ length: 5 }, () => subscribe()))
    for (const one of silent) one.behave(server.behaviour)
    await admin.query('update app.webhooks set width = 2 where writer_id = any ($1)', [
      silent.map(({ writer }) => writer.id),
    ])
    // More than a worker's concurrency limit: requests that have waited two seconds no longer count.
    await Promise.all(silent.map((one) => pileUp(one, 4)))
    await until(() => silent.every((one) => one.received().length > 0), 'each of the fifty is asked')
    await Promise.all(healthy.map((one) => one.publish()))
    await Promise.all(healthy.map((one) => delivered(one, 1)))
    for (const one of silent) assert.equal((await one.webhook()).deliveries.delivered, 0)
    await admin.query('delete from app.deliveries where writer_id = any ($1)', [silent.map(({ writer }) => writer.id)])
    server.letGo()
  })
})
