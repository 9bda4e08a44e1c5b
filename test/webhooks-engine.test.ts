import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pauses } from '../server/features/webhooks/schedule.ts'
import type { Behaviour } from '../server/testing/receiver.ts'
import { slowness } from './machine.ts'
import { eventually, openWebhookHouse, type Subscriber } from './webhook-house.ts'

/** When deliveries are tried again, how many at once, and who waits for whom. */

const { admin, work, subscribe } = await openWebhookHouse()

interface Row {
  readonly state: string
  readonly wait: number
  readonly tries: number
}

/** The newest, as the database has it: seconds from the last attempt to the next. */
async function rowOf(one: Subscriber): Promise<Row> {
  const { rows } = await admin.query<Row>(
    `select state, tries, extract(epoch from due_at - last_at)::float as wait from app.deliveries
      where writer_id = $1 and event = 'piece.published' order by created_at desc limit 1`,
    [one.writer.id],
  )
  return rows[0]!
}

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

/** A server that takes its time, and how many it ever had to do with at once. */
function busyServer(ms: number, status = 200): { behaviour: Behaviour; most: number } {
  let now = 0
  const server = {
    most: 0,
    behaviour: (async (_request, response) => {
      now += 1
      server.most = Math.max(server.most, now)
      await pause(ms)
      now -= 1
      response.writeHead(status).end()
    }) as Behaviour,
  }
  return server
}

test('ten attempts, each later than the one before by the schedule and some chance, and then no more', async () => {
  const one = await subscribe(500)
  await one.publish()
  for (const [failed, seconds] of pauses.entries()) {
    await eventually('it failed', async () => ((await one.webhook()).failures === failed + 1 ? true : undefined))
    const { wait, tries, state } = await rowOf(one)
    assert.deepEqual([state, tries], ['pending', failed + 1])
    const most = seconds + Math.min(Math.max(seconds / 10, 2), 900)
    assert.ok(wait >= seconds && wait <= most + 0.1, `${wait} s after failure ${failed + 1}, not ${seconds} to ${most}`)
    const { due_at } = (await one.log())[0]!
    assert.ok(Math.abs(Date.parse(due_at!) - Date.now() - wait * 1000) < 5_000, 'the writer is told when')
    await one.hurry()
  }
  const last = await one.until(({ state }) => state === 'exhausted')
  assert.deepEqual([last.attempts, last.due_at, last.can_resend], [10, null, true])
  await one.hurry()
  await pause(150)
  assert.equal(one.told().length, 10)
})

test('Retry-After lengthens the wait, by seconds or by a date, up to a day; nonsense does not', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  const wishes: [string, number, number][] = [
    ['7200', 7200, 8000],
    [inAnHour, 3590, 4000],
    ['1000000000', 86_400, 87_301],
    ['1', 5, 7.1],
    ['-1', 5, 7.1],
    ['1e9', 5, 7.1],
    ['0', 5, 7.1],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 5, 7.1],
    ['soon', 5, 7.1],
  ]
  await Promise.all(
    wishes.map(async ([wish, least, most]) => {
      const one = await subscribe((_request, response) => response.writeHead(503, { 'retry-after': wish }).end())
      await one.publish()
      await one.until(({ last }) => last?.status === 503)
      const { wait } = await rowOf(one)
      assert.ok(wait >= least && wait <= most, `${wish}: ${wait} s`)
    }),
  )
})

describe('at once', () => {
  test('a server that answers is asked four things, never more, and two workers do not make it eight', async () => {
    const second = await work()
    const server = busyServer(40)
    const one = await subscribe()
    await publishMany(one, 4)
    one.behave(server.behaviour)
    await resume(one)
    await pileUp(one, 60)
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
      const server = busyServer(20, status)
      one.behave(status)
      await one.publish()
      await one.until(({ last }) => last?.status === status)
      assert.equal(await widthOf(one), 1)
      one.behave(server.behaviour)
      await pileUp(one, 6)
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
    const ms = Date.parse(resting.rests_until!) - Date.now()
    assert.ok(ms > 50_000 && ms <= 60_500, `${ms} ms`)
    assert.equal(resting.failures, 10)
    await one.hurry()
    await pause(200)
    assert.equal(one.told().length, 10, 'it rests')

    await set(one, 'rests_until = clock_timestamp()')
    await one.hurry()
    await one.untilWebhook(({ failures }) => failures === 11)
    await one.hurry()
    await pause(200)
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
  const firstAttempt = async (one: Subscriber): Promise<number> => {
    const start = performance.now()
    await one.publish()
    const [told] = await eventually('told', async () => (one.told().length > 0 ? one.told() : undefined))
    return told!.at - start
  }

  test('a backlog of 500 does not delay another writer’s first attempt', async (t) => {
    const [crowded, quiet] = [await subscribe(), await subscribe()]
    const server = busyServer(50)
    crowded.behave(server.behaviour)
    await pileUp(crowded, 500)
    await eventually('the crowd moves', async () => (crowded.told().length > 4 ? true : undefined))
    const ms = await firstAttempt(quiet)
    t.diagnostic(`${Math.round(ms)} ms, with ${500 - crowded.told().length} of another waiting`)
    assert.ok(crowded.told().length < 400, 'there was still a crowd')
    assert.ok(ms < 1_000 * slowness(), `${ms} ms`)
    await admin.query('delete from app.deliveries where writer_id = $1', [crowded.writer.id])
  })

  test('thirty servers that never answer do not delay it either', async (t) => {
    const kept: ServerResponse[] = []
    const silent = await Promise.all(
      Array.from({ length: 30 }, () => subscribe((_request, response) => void kept.push(response))),
    )
    for (const one of silent) await set(one, 'width = 4')
    await Promise.all(silent.map((one) => pileUp(one, 8)))
    await eventually('they are asked', async () => (silent.every((one) => one.told().length > 0) ? true : undefined))
    const quiet = await subscribe()
    const ms = await firstAttempt(quiet)
    t.diagnostic(`${Math.round(ms)} ms`)
    assert.ok(ms < 1_500 * slowness(), `${ms} ms`)
    await admin.query('delete from app.deliveries where writer_id = any ($1)', [silent.map(({ writer }) => writer.id)])
    for (const response of kept) response.destroy()
  })
})
