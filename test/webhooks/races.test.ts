import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Act } from '../../server/features/pieces/states.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import type { Delivered } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Races between acts of writers, attempts of workers and answers of servers. */

const { url, admin, work, subscribe } = await openWebhookSite({ works: false })
const workers = [await work(), await work()]

const statuses: number[] = []
async function act(one: Subscriber, what: Act, id: string): Promise<number> {
  const { statusCode } = await one.desk.act(what, id)
  statuses.push(statusCode)
  return statusCode
}
const many = <T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => make(number)))

/** Waits until no delivery is in flight or due. */
const settled = (one: Subscriber) =>
  until(async () => {
    const { rowCount } = await admin.query(
      "select from app.deliveries where writer_id = $1 and state = 'pending' and (lease_token is not null or due_at <= now())",
      [one.writer.id],
    )
    return rowCount === 0
  }, 'all is settled')

interface Kept {
  readonly state: string
  readonly has_body: boolean
  readonly is_public: boolean
}
const kept = async (one: Subscriber): Promise<Kept[]> =>
  (
    await admin.query<Kept>(
      `select d.state, d.body is not null as has_body, exists (select from pub.pieces p where p.id = d.piece_id) as is_public
         from app.deliveries d where d.writer_id = $1 and d.event = 'piece.published'`,
      [one.writer.id],
    )
  ).rows

function believes(secrets: readonly string[], { body, headers }: Delivered): boolean {
  return secrets.some((secret) => {
    try {
      return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
    } catch {
      return false
    }
  })
}

test('published twice at once, a piece is told of once', async () => {
  const one = await subscribe()
  const ids = await many(8, () => one.desk.begin())
  await Promise.all(ids.flatMap((id) => [act(one, 'publish', id), act(one, 'publish', id)]))
  await one.untilWebhook(({ deliveries }) => deliveries.delivered === 8)
  await settled(one)
  assert.equal(one.received().length, 8)
  const sequences = one.received().map(({ body }) => JSON.parse(body.toString())._service.sequence)
  assert.deepEqual(
    sequences.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('published and unpublished while attempts succeed and fail, what is not public is neither waiting nor kept', async () => {
  let turn = 0
  const answer = (response: ServerResponse) => {
    turn += 1
    response.writeHead(turn % 2 ? 500 : 200, { 'retry-after': '86400' }).end()
  }
  const waiting: ServerResponse[] = []
  const one = await subscribe((_request, response) => void waiting.push(response))
  const ids = await many(12, () => one.desk.begin())
  /** One attempt ends with each act, so that some are always in flight between two acts. */
  const actAndAnswer = async (what: Act, id: string) => {
    await act(one, what, id)
    const response = waiting.shift()
    if (response) answer(response)
  }
  await Promise.all(
    ids.map(async (id, place) => {
      await actAndAnswer('publish', id)
      await actAndAnswer('unpublish', id)
      await actAndAnswer('publish', id)
      if (place % 2) await actAndAnswer('unpublish', id)
    }),
  )
  one.behave((_request, response) => answer(response))
  for (const response of waiting) answer(response)
  await settled(one)
  assert.ok(turn >= 2, 'some succeeded and some failed')
  const rows = await kept(one)
  assert.ok(rows.length >= 12)
  for (const { state, has_body, is_public } of rows) {
    if (is_public)
      assert.ok(has_body || state === 'cancelled' || state === 'delivered', JSON.stringify({ state, has_body }))
    else assert.deepEqual([has_body, ['cancelled', 'delivered'].includes(state)], [false, true], state)
  }
})

test('while secrets change, every delivery is signed with one that was valid then', async () => {
  const one = await subscribe()
  const secrets = [one.secret]
  const rotating = async () => {
    for (let times = 0; times < 8; times += 1) {
      await until(() => one.received().length >= times * 2, `${times * 2} deliveries`)
      const answer = await one.desk.ask('POST', 'webhook/rotate', { force: true, keep_hours: times % 2 ? 0 : 24 })
      assert.equal(answer.statusCode, 200, answer.body)
      secrets.push(answer.json().secret)
    }
  }
  await Promise.all([rotating(), many(16, () => one.publish())])
  await one.untilWebhook(({ deliveries }) => deliveries.delivered === 16)
  for (const delivery of one.received()) assert.ok(believes(secrets, delivery))
  await one.publish()
  await one.untilWebhook(({ deliveries }) => deliveries.delivered === 17)
  const last = one.received().at(-1)!
  assert.ok(believes([secrets.at(-1)!], last))
  assert.ok(!believes(secrets.slice(0, -1), last), 'the last one ended those before at once')
})

test('paused and resumed again and again, everything published is told of in the end, and once', async () => {
  const one = await subscribe()
  let published = 0
  const publish = async () => {
    await one.publish()
    published += 1
  }
  const toggling = async () => {
    for (let times = 0; times < 10; times += 1) {
      await until(() => published >= times, `${times} publications`)
      await one.desk.ask('POST', `webhook/${times % 2 ? 'resume' : 'pause'}`)
    }
  }
  await Promise.all([toggling(), many(16, publish)])
  await one.untilWebhook(({ deliveries }) => deliveries.delivered === 16)
  const ids = one.received().map(({ headers }) => headers['webhook-id'])
  assert.deepEqual([ids.length, new Set(ids).size], [16, 16])
})

test('moved while deliveries are under way, nothing is lost and nothing goes on to the old address', async () => {
  const waiting: ServerResponse[] = []
  const one = await subscribe((_request, response) => void waiting.push(response))
  await many(6, () => one.publish())
  await until(() => waiting.length > 0, 'deliveries are under way')
  await admin.query(
    "update app.deliveries set created_at = created_at - interval '1 minute' where event = 'webhook.ping'",
  )
  const moved = await one.desk.ask('PUT', 'webhook', { url: `${one.url}-new` })
  assert.equal(moved.statusCode, 200, moved.body)
  one.behave(500)
  for (const response of waiting) response.writeHead(500).end()
  await one.untilWebhook(({ state }) => state === 'live')
  await until(async () => {
    await one.makeDue()
    return (await one.webhook()).deliveries.delivered === 6
  }, 'all arrived')
  const before = one.received().length
  await one.publish()
  await one.untilWebhook(({ deliveries }) => deliveries.delivered === 7)
  assert.equal(one.received().length, before)
})

async function leave({ desk, writer }: Subscriber): Promise<void> {
  const asked = await desk.ask('DELETE', 'account', { name: 'A Writer' })
  assert.equal(asked.statusCode, 202, asked.body)
  await deleteNow(admin, url, writer.accountId)
}

test('whoever leaves while they publish and are told is gone all the same', async () => {
  const gone: Subscriber[] = []
  for (let round = 0; round < 4; round += 1) {
    const one = await subscribe()
    gone.push(one)
    const ids = await many(4, () => one.desk.begin())
    await one.publish()
    await Promise.all([leave(one), ...ids.map(async (id) => act(one, 'publish', id))])
  }
  // They stop when all deliveries in flight are answered and recorded.
  await Promise.all(workers.map(({ stop }) => stop()))
  for (const one of gone)
    for (const table of ['webhooks', 'deliveries', 'delivery_attempts'])
      assert.equal(
        (await admin.query(`select from app.${table} where writer_id = $1`, [one.writer.id])).rowCount,
        0,
        table,
      )
})

test('in all of it, every answer was one that can be explained', () => {
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => ![200, 401, 404, 409, 412].includes(status)),
    [],
  )
})
