import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verifyWebhook } from '@standfirst/sdk'
import { Webhook } from 'standardwebhooks'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import type { Delivered } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Specification, section 6: webhooks, through a real server, worker and receiver. */

const { app, admin, receiver, subscribe, workerRound } = await openWebhookSite()
const moderators = deskOf(app, await makeModerator(admin))

const delivered = (one: Subscriber, count = 1): Promise<Delivered> =>
  until(() => one.received()[count - 1], `delivery ${count}`)
const itemOf = ({ body }: Delivered) => JSON.parse(body.toString('utf8'))
const pieceOf = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece

/** Waits for the delivery of a later piece, so that nothing earlier is still to come. */
async function nothingElse(one: Subscriber, before: number): Promise<void> {
  const last = await one.publish({ headline: 'The last of them' })
  const { id } = itemOf(await delivered(one, before + 1))
  assert.ok(id.endsWith(last), `${id} came where nothing should`)
}

test('a writer configures a destination, and every new piece is posted to it as the feed item that it is everywhere', async () => {
  const ada = await subscribe()
  const id = await ada.publish({
    headline: 'On tea: “Grüße” 😀',
    sub: 'Hot',
    body_md: 'Hot *water* & <leaves>.',
    tags: ['tea'],
    category: 'life',
    style: 'column',
  })
  const { _service, ...item } = itemOf(await delivered(ada))
  assert.deepEqual(item, await pieceOf(id))
  assert.deepEqual(_service, { event: 'piece.published', sequence: 1 })
  const second = await ada.publish()
  const next = itemOf(await delivered(ada, 2))
  assert.deepEqual([next.id, next._service.sequence], [`https://site.test/p/${second}`, 2])
})

async function draftByKey({ writer }: Subscriber, draft: object) {
  const { key } = await makeKey(admin, writer)
  const headers = { authorization: `Bearer ${key}` }
  return app.inject({ method: 'POST', url: '/api/v1/pieces', headers, payload: { body_md: 'A body.', ...draft } })
}

test('where a piece first appeared is told too', async () => {
  const one = await subscribe()
  const created = await draftByKey(one, { headline: 'Elsewhere first', external_url: 'https://first.example/a?b=c' })
  const { id } = created.json()
  assert.equal(one.received().length, 0)
  assert.equal((await one.desk.act('publish', id)).statusCode, 200)
  assert.equal(itemOf(await delivered(one)).external_url, 'https://first.example/a?b=c')
})

test('a draft made with a key is told to nobody', async () => {
  const one = await subscribe()
  const created = await draftByKey(one, { headline: 'Not yet' })
  assert.equal(created.statusCode, 201)
  await nothingElse(one, 0)
})

test('the request has these headers and no others', async () => {
  const one = await subscribe()
  const before = Math.floor(Date.now() / 1000)
  await one.publish()
  const { headers, body } = await delivered(one)
  const {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
    'x-service-signature': own,
    ...rest
  } = headers
  assert.deepEqual(rest, {
    host: receiver.host,
    'user-agent': 'Standfirst-Webhooks/1 (+https://site.test/developers/webhooks)',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    'accept-encoding': 'identity',
    connection: 'close',
    'x-service-event': 'piece.published',
    'x-service-attempt': '1',
  })
  assert.match(String(id), /^msg_[0-9a-f]{32}$/)
  assert.ok(Number(seconds) >= before && Number(seconds) <= Date.now() / 1000)
  const [, base64 = ''] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(String(signature)) ?? []
  assert.equal(own, `t=${seconds},id=${id},v1=${Buffer.from(base64, 'base64').toString('hex')}`)
})

/** Verifies a signature in every supported way; throws if one fails. */
async function believe({ body, headers }: Delivered, secret: string): Promise<void> {
  new Webhook(secret).verify(body, headers as Record<string, string>)
  const { 'x-service-signature': own, ...trio } = headers
  for (const given of [headers, trio, { 'x-service-signature': own }]) {
    const verified = await verifyWebhook({ body, headers: given, secret })
    assert.equal(verified.id, headers['webhook-id'])
  }
}

describe('the signature', () => {
  test('is believed by Standard Webhooks and by our own library, and by no other secret', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    await one.publish()
    const delivery = await delivered(one)
    await believe(delivery, one.secret)
    await believe(one.pings()[0]!, one.secret)
    await assert.rejects(believe(delivery, other.secret))
    await assert.rejects(believe({ ...delivery, body: Buffer.concat([delivery.body, Buffer.from(' ')]) }, one.secret))
  })

  test('is believed with the old and with the new secret while both are in use, and then with the new alone', async () => {
    const one = await subscribe()
    const rotated = await one.desk.ask('POST', 'webhook/rotate', {})
    const fresh = rotated.json().secret
    await one.publish()
    const both = await delivered(one)
    for (const secret of [fresh, one.secret]) await believe(both, secret)
    assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2)
    await admin.query("update app.webhooks set former_until = now() - interval '1 second' where writer_id = $1", [
      one.writer.id,
    ])
    await one.publish()
    const alone = await delivered(one, 2)
    await believe(alone, fresh)
    await assert.rejects(believe(alone, one.secret))
  })
})

describe('the event', () => {
  test('comes with a moderator’s approval, and not with what goes before it', async () => {
    const one = await subscribe()
    const id = await one.desk.begin()
    assert.equal((await one.desk.act('submit', id)).statusCode, 200)
    assert.equal((await moderators.act('request_changes', id)).statusCode, 200)
    assert.equal((await one.desk.act('resubmit', id)).statusCode, 200)
    await workerRound()
    assert.equal(one.received().length, 0)
    assert.equal((await moderators.act('approve', id)).statusCode, 200)
    const { _service, ...item } = itemOf(await delivered(one))
    assert.deepEqual(item, await pieceOf(id))
    assert.equal(_service.sequence, 1)
    await nothingElse(one, 1)
  })

  test('does not come again with an update, nor when a piece comes back', async () => {
    const one = await subscribe()
    const id = await one.publish()
    await delivered(one)
    await one.until(({ state }) => state === 'delivered')
    const { etag } = (await one.desk.ask('GET', `pieces/${id}`)).headers
    await one.desk.ask('PATCH', `pieces/${id}`, { body_md: 'Other words.' }, { 'if-match': String(etag) })
    for (const act of ['update', 'unpublish', 'publish'] as const)
      assert.equal((await one.desk.act(act, id)).statusCode, 200, act)
    await nothingElse(one, 1)
    assert.equal(itemOf(one.received()[1]!)._service.sequence, 2)
  })

  test('comes with the return of a piece that was unpublished before anybody was told of it', async () => {
    for (const behaviour of [500, 'nobody asked'] as const) {
      const one = await subscribe(500)
      if (behaviour !== 500) assert.equal((await one.desk.ask('POST', 'webhook/pause')).statusCode, 200)
      const id = await one.publish()
      if (behaviour === 500) await one.until(({ last }) => last?.status === 500)
      assert.equal((await one.desk.act('unpublish', id)).statusCode, 200)
      assert.equal((await one.log())[0]!.state, 'cancelled')
      one.behave(200)
      if (behaviour !== 500) assert.equal((await one.desk.ask('POST', 'webhook/resume')).statusCode, 200)
      assert.equal((await one.desk.act('publish', id)).statusCode, 200)
      await one.until(({ state }) => state === 'delivered')
      const { _service, ...item } = itemOf(one.received().at(-1)!)
      assert.deepEqual([item, _service.sequence], [await pieceOf(id), 1])
    }
  })

  test('counts what was published before there was a webhook, and tells nothing of it', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    assert.equal((await desk.act('publish', await desk.begin())).statusCode, 200)
    const saved = await desk.ask('PUT', 'webhook', { url: `http://${receiver.host}/${writer.slug}` })
    assert.equal(saved.statusCode, 200)
    await until(async () => (await desk.ask('GET', 'webhook')).json().webhook.state === 'live', 'the webhook is live')
    assert.equal((await desk.act('publish', await desk.begin())).statusCode, 200)
    const delivery = await receiver.expect(
      (one) => one.path === `/${writer.slug}` && one.headers['x-service-event'] === 'piece.published',
    )
    assert.equal(itemOf(delivery)._service.sequence, 2)
  })
})

test('every attempt has the same bytes and the same id, a time of its own and a number that rises, also when resent', async (t) => {
  let ahead = 0
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + ahead)
  const one = await subscribe(503)
  const id = await one.publish()
  await one.until(({ last }) => last?.status === 503)
  const { etag } = (await one.desk.ask('GET', `pieces/${id}`)).headers
  await one.desk.ask('PATCH', `pieces/${id}`, { body_md: 'Other words.' }, { 'if-match': String(etag) })
  assert.equal((await one.desk.act('update', id)).statusCode, 200)
  ahead += 1_000
  one.behave(200)
  await one.makeDue()
  const { id: message } = await one.until(({ state }) => state === 'delivered')
  ahead += 1_000
  const resent = await one.desk.ask('POST', `webhook/deliveries/${message}/resend`)
  assert.equal(resent.statusCode, 200, resent.body)
  await delivered(one, 3)
  const [first, ...others] = one.received()
  for (const other of others) {
    assert.ok(other.body.equals(first!.body))
    assert.equal(other.headers['webhook-id'], message)
  }
  assert.deepEqual(
    one.received().map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3'],
  )
  const times = one.received().map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.ok(times[0]! < times[1]! && times[1]! < times[2]!, String(times))
  for (const delivery of one.received()) await believe(delivery, one.secret)
})

test('a piece of more than 1 MiB is told of all the same, with its summary for a text', async () => {
  const one = await subscribe()
  // Long addresses and multi-byte characters, to exceed 1 MiB, which 100,000 characters usually do not.
  const links = `${'[a] '.repeat(3_000)}\n\n[a]: http://a.example/${'b'.repeat(100)}`
  const id = await one.publish({ headline: 'Long', sub: 'In short.', body_md: `${links}\n\n${'😀'.repeat(70_000)}` })
  const piece = await pieceOf(id)
  assert.ok(Buffer.byteLength(JSON.stringify(piece)) > 2 ** 20)
  const { body, ...delivery } = await delivered(one)
  assert.ok(body.length < 2_000)
  assert.deepEqual(JSON.parse(body.toString()), {
    ...piece,
    content_html: null,
    content_text: 'In short.',
    _service: { event: 'piece.published', sequence: 1, truncated: true },
  })
  await believe({ body, ...delivery }, one.secret)
})
