import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../server/features/webhooks/attempt.ts'
import type { Claimed, Met } from '../server/features/webhooks/line.ts'
import { Settling } from '../server/features/webhooks/settling.ts'
import { Database } from '../server/platform/db/database.ts'
import { createOutbound } from '../server/platform/outbound/outbound.ts'
import { createSealer } from '../server/platform/sealing.ts'
import { openWebhookHouse, secretsKey } from './webhook-house.ts'

/** What happens to one webhook while something else does, seen by a worker that takes one step at a time. */

const { url, admin, subscribe, work } = await openWebhookHouse({ works: false })
const db = new Database({ url, role: 'svc_worker', name: 'worker', connections: 2, statementTimeout: 5000 })
after(() => db.close())

/** Webhooks are made live by a worker that then goes. */
async function live(count: number) {
  const worker = await work()
  const all = await Promise.all(Array.from({ length: count }, () => subscribe()))
  await worker.stop()
  return all
}

const claim = (most = 64) => db.run<Claimed>({ text: 'select * from app.claim_deliveries($1, false)', values: [most] })

const answered = (claimed: Claimed, status = 200): Met => ({
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

const settling = new Settling(db, { onSettled: () => {}, onTrouble: () => {} })

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
    const adding = claimed.map((one) => settling.add(answered(one)).then(() => kept.push(one.writer_id)))
    const start = performance.now()
    while (kept.length === 0 && performance.now() - start < 5000) await pause(10)
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
    await settling.add(answered(under!))
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
    await settling.add(answered(ping!, 410))
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
  await settling.add(answered(ping!))
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
  assert.equal((await one!.desk.ask('POST', 'webhook/ping')).statusCode, 409)
})

test('a former secret that no key opens is left out; the new one signs', async () => {
  const [one] = await live(1)
  await one!.publish()
  const [claimed] = await claim()
  const { id } = one!.writer
  const sealer = createSealer([secretsKey])
  const lost = createSealer(['a key that this house has lost long ago']).seal('whsec_lost', id)
  const outbound = createOutbound({ ownHosts: [], allow: new Set([new URL(one!.url).host]) })
  const met = await attempt({ ...claimed!, former_secret: lost }, { outbound, sealer, userAgent: 'a test' })
  assert.deepEqual([met.status, met.problem], [200, null])
  assert.match(met.signature!, /^v1,\S+$/)
  await settling.add(met)
})
