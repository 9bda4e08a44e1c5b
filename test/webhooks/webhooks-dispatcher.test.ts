import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { until } from '../../testkit/until.ts'
import type { Behaviour } from '../../testkit/webhook-receiver.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** How many deliveries are under way at once, and who waits for whom. */

const { admin, work, subscribe, workerRound } = await openWebhookSite()

const set = (one: Subscriber, what: string) =>
  admin.query(`update app.webhooks set ${what} where writer_id = $1`, [one.writer.id])
const widthOf = async (one: Subscriber): Promise<number> =>
  (await admin.query('select width from app.webhooks where writer_id = $1', [one.writer.id])).rows[0].width
const delivered = (one: Subscriber, count: number) =>
  one.untilWebhook(({ deliveries }) => deliveries.delivered === count)

/** Many pieces at once: they wait for the webhook to be resumed. */
async function publishMany(one: Subscriber, count: number): Promise<void> {
  await one.desk.ask('POST', 'webhook/pause')
  for (let number = 0; number < count; number += 1) await one.publish({ headline: `Piece ${number}` })
}
const resume = (one: Subscriber) => one.desk.ask('POST', 'webhook/resume')

/** More of the same without a piece each: the line does not look at pieces. */
async function pileUp(one: Subscriber, count: number): Promise<void> {
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
     select $1, 'piece.published', gen_random_uuid(), n, 'pending', '{}' from generate_series(1, $2::integer) n`,
    [one.writer.id, count],
  )
  await one.hurry()
}

/** A server that answers nothing until it is let go, and how many it ever had to do with at once. */
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
    const ids = one.told().map(({ headers }) => headers['webhook-id'])
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
    await one.hurry()
    await workerRound()
    assert.equal(one.told().length, 10, 'it rests')

    await set(one, 'rests_until = clock_timestamp()')
    await one.hurry()
    await one.untilWebhook(({ failures, rests_until }) => failures === 11 && rests_until !== null)
    await set(one, "rests_until = clock_timestamp() + interval '1 hour'")
    await one.hurry()
    await workerRound()
    assert.equal(one.told().length, 11, 'one probe, and it rests again')

    one.behave(200)
    await admin.query("update app.deliveries set created_at = created_at - interval '1 minute' where writer_id = $1", [
      one.writer.id,
    ])
    assert.equal((await one.desk.ask('POST', 'webhook/ping')).statusCode, 202)
    await one.untilWebhook(({ failures }) => failures === 0)
    await one.hurry()
    await delivered(one, 14)
  })

  test('a probe that succeeds opens the way for all the others', async () => {
    const one = await subscribe(500)
    await pileUp(one, 12)
    await one.untilWebhook(({ rests_until }) => rests_until !== null)
    one.behave(200)
    await set(one, 'rests_until = clock_timestamp()')
    await one.hurry()
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
    await until(() => crowded.told().length > 4, 'the backlog moves')
    await quiet.publish()
    const before = crowded.told().length
    const first = await until(() => quiet.told()[0], 'the first attempt')
    const meanwhile = crowded.told().filter(({ at }) => at < first.at).length - before
    // One claim takes four of the backlog at most, and then it is the other's turn.
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
    // More than a worker has under way at once: it looks past those that have waited for two seconds.
    await Promise.all(silent.map((one) => pileUp(one, 4)))
    await until(() => silent.every((one) => one.told().length > 0), 'each of the fifty is asked')
    await Promise.all(healthy.map((one) => one.publish()))
    await Promise.all(healthy.map((one) => delivered(one, 1)))
    for (const one of silent) assert.equal((await one.webhook()).deliveries.delivered, 0)
    await admin.query('delete from app.deliveries where writer_id = any ($1)', [silent.map(({ writer }) => writer.id)])
    server.letGo()
  })
})
