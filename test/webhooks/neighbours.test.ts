import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ClaimedDelivery, type DeliveryResult, settle } from '../../server/features/webhooks/delivery-queue.ts'
import { retryDelays } from '../../server/features/webhooks/retry-policy.ts'
import { attemptDelivery } from '../../server/features/webhooks/send.ts'
import { createSealer } from '../../server/platform/crypto.ts'
import { ResultBatcher } from '../../server/platform/jobs/delivery-loop.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber, secretsKey } from '../../testkit/webhook-site.ts'

/** Isolation between webhooks, with a worker that is stepped by the test. */

const { url, admin, receiver, addWebhook } = await openWebhookSite({ works: false })
const db = workerDatabase(url)

/** Webhooks made live without a worker's ping. */
async function live(count: number): Promise<Subscriber[]> {
  const all = await Promise.all(Array.from({ length: count }, () => addWebhook()))
  const ids = [all.map(({ writer }) => writer.id)]
  await admin.query("update app.webhooks set state = 'live', live_since = now() where writer_id = any ($1)", ids)
  await admin.query('delete from app.deliveries where writer_id = any ($1)', ids)
  return all
}

const claim = (most = 64) =>
  db.run<ClaimedDelivery>({ text: 'select * from app.claim_deliveries($1, false)', values: [most] })

const sending = {
  outbound: createOutbound({ ownHosts: [], allow: new Set([receiver.host]) }),
  sealer: createSealer([secretsKey]),
  userAgent: 'a test',
}

/** Sends every due delivery once. */
async function sendAll(): Promise<number> {
  const claimed = await db.run<ClaimedDelivery>({
    text: 'select * from app.claim_deliveries(64, false) union all select * from app.claim_deliveries(64, true)',
  })
  await Promise.all(claimed.map(async (one) => results.add(await attemptDelivery(one, sending))))
  return claimed.length
}

interface Row {
  readonly state: string
  readonly tries: number
  /** Seconds from the last attempt to the next. */
  readonly wait: number
  readonly due_at: Date
}

/** The newest delivery of a piece, from the database. */
async function rowOf(one: Subscriber): Promise<Row> {
  const { rows } = await admin.query<Row>(
    `select state, tries, due_at, extract(epoch from due_at - last_at)::float as wait from app.deliveries
      where writer_id = $1 and event = 'piece.published' order by created_at desc limit 1`,
    [one.writer.id],
  )
  return rows[0]!
}

const answered = (claimed: ClaimedDelivery, status = 200): DeliveryResult => ({
  id: claimed.id,
  token: claimed.lease_token,
  attempt: claimed.attempt,
  ms: 5,
  url: claimed.url,
  address: '127.0.0.1',
  sent_at: 1,
  signature: null,
  status,
  problem: status < 300 ? null : 'status',
  detail: null,
  answer_type: null,
  answer: null,
  wait: claimed.event === 'webhook.ping' ? null : 5,
  careful: false,
  gone: status === 410,
  echoed: false,
})

const results = new ResultBatcher<DeliveryResult>({
  maxAge: 40_000,
  record: (met) => settle(db, met),
  onSettled: () => {},
  onTrouble: () => {},
})

describe('after a failure', () => {
  test('ten attempts, each later than the one before by the schedule and some chance, and then no more', async () => {
    const [one] = (await live(1)) as [Subscriber]
    one.behave((_request, response) => response.writeHead(500).end())
    await one.publish()
    for (const [failed, seconds] of retryDelays.entries()) {
      assert.equal(await sendAll(), 1)
      const { wait, tries, state, due_at } = await rowOf(one)
      assert.deepEqual([state, tries], ['pending', failed + 1])
      const most = seconds + Math.min(Math.max(seconds / 10, 2), 900)
      assert.ok(wait >= seconds && wait <= most, `${wait} s after failure ${failed + 1}, not ${seconds} to ${most}`)
      assert.equal((await one.log())[0]!.due_at, due_at.toISOString(), 'the writer is told when')
      assert.equal((await one.webhook()).failures, failed + 1)
      await one.makeDue()
    }
    assert.equal(await sendAll(), 1)
    const [last] = await one.log()
    assert.deepEqual([last!.state, last!.attempts, last!.due_at, last!.can_resend], ['exhausted', 10, null, true])
    await one.makeDue()
    assert.equal(await sendAll(), 0)
    assert.equal(one.received().length, 10)
  })

  test('Retry-After lengthens the wait, by seconds or by a date, up to a day; nonsense does not', async () => {
    const half = 43_200
    const inHalfADay = new Date(Date.now() + half * 1000).toUTCString()
    const wishes: [string, number, number][] = [
      ['7200', 7200, 8000],
      [inHalfADay, half - 3600, half + 901],
      ['1000000000', 86_400, 87_301],
      ['1', 5, 7.1],
      ['-1', 5, 7.1],
      ['1e9', 5, 7.1],
      ['0', 5, 7.1],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 5, 7.1],
      ['soon', 5, 7.1],
    ]
    const all = await live(wishes.length)
    for (const [place, one] of all.entries()) {
      one.behave((_request, response) => response.writeHead(503, { 'retry-after': wishes[place]![0] }).end())
      await one.publish()
    }
    assert.equal(await sendAll(), wishes.length)
    for (const [place, [wish, least, most]] of wishes.entries()) {
      const { wait } = await rowOf(all[place]!)
      assert.ok(wait >= least && wait <= most, `${wish}: ${wait} s`)
    }
  })
})

describe('an answer', () => {
  test('is kept at once although another writer’s webhook is locked', async () => {
    const [held, other] = await live(2)
    await held!.publish()
    await other!.publish()
    const claimed = await claim()
    assert.equal(claimed.length, 2)
    const client = await admin.connect()
    await client.query('begin')
    await client.query('select from app.webhooks where writer_id = $1 for update', [held!.writer.id])
    const kept: string[] = []
    const adding = claimed.map((one) => results.add(answered(one)).then(() => kept.push(one.writer_id)))
    await until(() => kept.length > 0, 'one is kept')
    assert.deepEqual(kept, [other!.writer.id])
    await client.query('rollback')
    client.release()
    await Promise.all(adding)
    for (const one of [held!, other!]) assert.equal((await one.log())[0]!.state, 'delivered')
  })

  test('to a piece that was unpublished meanwhile leaves room for the next', async () => {
    const [one] = await live(1)
    await admin.query('update app.webhooks set width = 1 where writer_id = $1', [one!.writer.id])
    const first = await one!.publish()
    await one!.publish()
    const [under] = await claim()
    assert.equal((await one!.desk.act('unpublish', first)).statusCode, 200)
    await results.add(answered(under!))
    assert.equal((await claim()).length, 1)
  })
})

describe('a test', () => {
  test('waits neither for a place nor behind what was published before', async () => {
    const [one] = await live(1)
    await admin.query("update app.deliveries set created_at = created_at - interval '1 minute' where writer_id = $1", [
      one!.writer.id,
    ])
    await admin.query('update app.webhooks set width = 1 where writer_id = $1', [one!.writer.id])
    for (let piece = 0; piece < 3; piece += 1) await one!.publish()
    assert.equal((await claim()).length, 1)
    assert.equal((await one!.desk.ask('POST', 'webhook/ping')).statusCode, 202)
    assert.deepEqual(
      (await claim()).map(({ event }) => event),
      ['webhook.ping'],
    )
  })

  test('that is answered 410 switches the webhook off, as any delivery would', async () => {
    const [one] = await live(1)
    await admin.query("update app.deliveries set created_at = created_at - interval '1 minute' where writer_id = $1", [
      one!.writer.id,
    ])
    assert.equal((await one!.desk.ask('POST', 'webhook/ping')).statusCode, 202)
    const [ping] = await claim()
    await results.add(answered(ping!, 410))
    const { state, disabled_for } = await one!.webhook()
    assert.deepEqual([state, disabled_for], ['disabled', 'gone'])
  })
})

test('a pause outlives another address: what is held waits for its writer', async () => {
  const [one] = await live(1)
  assert.equal((await one!.desk.ask('POST', 'webhook/pause')).statusCode, 200)
  await one!.publish()
  assert.equal((await one!.desk.ask('PUT', 'webhook', { url: `${one!.url}/new` })).statusCode, 200)
  const [ping] = await claim()
  await results.add(answered(ping!))
  assert.equal((await one!.webhook()).state, 'paused')
  assert.equal((await one!.log()).find(({ event }) => event === 'piece.published')!.state, 'held')
  assert.equal((await one!.desk.ask('POST', 'webhook/resume')).statusCode, 200)
  assert.equal((await claim()).length, 1)
})

test('an address that is mended at once is asked at once', async () => {
  const [one] = await live(1)
  for (const path of ['/first', '/second']) {
    const saved = await one!.desk.ask('PUT', 'webhook', { url: `${one!.url}${path}` })
    assert.equal(saved.statusCode, 200, saved.body)
  }
  // Dates the ping of the second to now, however long it took.
  await admin.query("update app.deliveries set created_at = now() + interval '1 minute' where writer_id = $1", [
    one!.writer.id,
  ])
  assert.equal((await one!.desk.ask('POST', 'webhook/ping')).statusCode, 409)
})

test('a former secret that no key opens is left out; the new one signs', async () => {
  const [one] = await live(1)
  await one!.publish()
  const [claimed] = await claim()
  const { id } = one!.writer
  const lost = createSealer(['a key that this site has lost long ago']).seal('whsec_lost', id)
  const met = await attemptDelivery({ ...claimed!, former_secret: lost }, sending)
  assert.deepEqual([met.status, met.problem], [200, null])
  assert.match(met.signature!, /^v1,\S+$/)
  await results.add(met)
})
