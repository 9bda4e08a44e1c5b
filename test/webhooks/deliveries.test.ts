import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { sweepDeliveries } from '../../server/features/webhooks/delivery-queue.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { withoutId } from '../../testkit/http.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Deliveries: who can see them, retries, resends and expiry. */

const { url, app, admin, receiver, subscribe } = await openWebhookSite()
const moderators = deskOf(app, await makeModerator(admin))

const post = (one: Subscriber, path: string, payload?: object) => one.desk.ask('POST', `webhook/${path}`, payload)
const bodyOf = async (one: Subscriber, id: string) =>
  (await one.desk.ask('GET', `webhook/deliveries/${id}`)).json().delivery.body
const messages = (one: Subscriber) => one.received().map(({ headers }) => headers['webhook-id'])

describe('the log', () => {
  test('shows each delivery with its piece, its bytes and every attempt', async () => {
    const one = await subscribe((_request, response) =>
      response.writeHead(500, { 'content-type': 'text/html', 'retry-after': '86400' }).end('<b>Sorry</b>'),
    )
    const piece = await one.publish({ headline: 'On tea' })
    await one.until(({ last }) => last?.status === 500)
    one.behave(200)
    await one.makeDue()
    const { id, ...delivery } = await one.until(({ state }) => state === 'delivered')
    const { created_at, delivered_at, last, ...rest } = delivery
    assert.deepEqual(rest, {
      event: 'piece.published',
      state: 'delivered',
      piece: { id: piece, headline: 'On tea' },
      sequence: 1,
      due_at: null,
      attempts: 2,
      can_resend: true,
    })
    assert.deepEqual([last!.status, last!.problem], [200, null])
    assert.ok(delivered_at! >= created_at)
    assert.equal(await bodyOf(one, id), one.received()[0]!.body.toString())
    const [second, first] = await one.attempts(id)
    const { at, ms, signature, timestamp, ...attempt } = first!
    assert.deepEqual(attempt, {
      attempt: 1,
      url: one.url,
      address: '127.0.0.1',
      status: 500,
      problem: 'status',
      detail: null,
      answer_type: 'text/html',
      answer: '<b>Sorry</b>',
    })
    assert.ok(at <= second!.at && ms! >= 0)
    assert.deepEqual(
      [signature, `${timestamp}`],
      [one.received()[0]!.headers['webhook-signature'], one.received()[0]!.headers['webhook-timestamp']],
    )
  })

  test('comes in pages, newest first, and by state', async () => {
    const one = await subscribe()
    for (const headline of ['One', 'Two', 'Three']) await one.publish({ headline })
    await one.untilWebhook(({ deliveries }) => deliveries.delivered === 3)
    const page = async (query: string) => (await one.desk.ask('GET', `webhook/deliveries?${query}`)).json()
    const first = await page('limit=2&state=delivered')
    const second = await page(`limit=2&state=delivered&cursor=${first.next_cursor}`)
    const headlines = [...first.deliveries, ...second.deliveries].map(({ piece }) => piece?.headline ?? 'a ping')
    assert.deepEqual(headlines, ['Three', 'Two', 'One', 'a ping'])
    assert.equal(second.next_cursor, null)
    assert.equal((await page('state=held')).count, 0)
  })

  test('is its writer’s alone: to another, their deliveries are none at all', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    await one.publish()
    const { id } = await one.until(({ state }) => state === 'delivered')
    const missing = `msg_${'0'.repeat(32)}`
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/resend'],
    ] as const) {
      const theirs = await other.desk.ask(method, `webhook/deliveries/${id}${path}`)
      const none = await other.desk.ask(method, `webhook/deliveries/${missing}${path}`)
      assert.deepEqual([theirs.statusCode, withoutId(theirs.body)], [404, withoutId(none.body)])
    }
    assert.equal((await other.log()).filter(({ event }) => event === 'piece.published').length, 0)
    assert.equal((await post(other, 'deliveries/resend', { from: '2020-01-01T00:00:00Z' })).json().count, 0)
    assert.equal(one.received().length, 1)
  })

  test('is kept for thirty days: what is done goes, what is on its way or held by a pause stays', async () => {
    const one = await subscribe(500)
    await one.publish()
    await one.until(({ last }) => last?.status === 500)
    await admin.query(
      `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
       select $1, 'piece.published', gen_random_uuid(), 9, s, case when s <> 'cancelled' then '{}'::bytea end
         from unnest(array['held', 'delivered', 'exhausted', 'cancelled']) s`,
      [one.writer.id],
    )
    const age = (days: string) =>
      admin.query(
        `update app.deliveries set created_at = now() - $2::interval,
                held_at = case when state = 'held' then now() - $2::interval end, ended_at = null where writer_id = $1`,
        [one.writer.id, days],
      )
    const db = workerDatabase(url)
    await age('29 days 23 hours')
    await sweepDeliveries(db)
    assert.equal((await one.log()).length, 6)
    await age('30 days 1 minute')
    const left = async () => {
      await sweepDeliveries(db)
      return (await one.log()).map(({ state }) => state).sort()
    }
    assert.deepEqual(await left(), ['held', 'pending'])
    // Switched off by the site, it is held for thirty days and no longer.
    await admin.query("update app.webhooks set state = 'disabled', disabled_for = 'gone' where writer_id = $1", [
      one.writer.id,
    ])
    assert.deepEqual(await left(), ['pending'])
  })
})

describe('what is unpublished', () => {
  test('before it was delivered is cancelled and its bytes are gone, by whoever took it away', async () => {
    for (const takeAway of [
      (one: Subscriber, id: string) => one.desk.act('unpublish', id),
      (_one: Subscriber, id: string) => moderators.act('take_down', id),
    ]) {
      const one = await subscribe(500)
      const id = await one.publish({ body_md: 'CANARY' })
      const { id: message } = await one.until(({ last }) => last?.status === 500)
      assert.match(await bodyOf(one, message), /CANARY/)
      assert.equal((await takeAway(one, id)).statusCode, 200)
      const [newest] = await one.log()
      assert.deepEqual([newest!.state, newest!.can_resend, newest!.due_at], ['cancelled', false, null])
      assert.equal(await bodyOf(one, message), null)
      one.behave(200)
      await one.makeDue()
      assert.equal((await post(one, `deliveries/${message}/resend`)).statusCode, 409)
      assert.equal(one.received().length, 1)
    }
  })

  test('after it was delivered cannot be resent, and the site keeps no copy', async () => {
    const one = await subscribe()
    const id = await one.publish()
    const { id: message } = await one.until(({ state }) => state === 'delivered')
    await one.desk.act('unpublish', id)
    const [newest] = await one.log()
    assert.deepEqual([newest!.state, newest!.can_resend], ['delivered', false])
    assert.equal(await bodyOf(one, message), null)
    const refused = await post(one, `deliveries/${message}/resend`)
    assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'illegal_transition'])
    assert.equal((await post(one, 'deliveries/resend', { from: '2020-01-01T00:00:00Z' })).json().count, 0)
  })

  test('while an attempt is under way is cancelled; that attempt stands in the log, and the piece’s return is no news', async () => {
    const waiting: ServerResponse[] = []
    const one = await subscribe((_request, response) => void waiting.push(response))
    const id = await one.publish()
    await receiver.expect(() => waiting.length === 1)
    assert.equal((await one.desk.act('unpublish', id)).statusCode, 200)
    assert.equal((await one.log())[0]!.state, 'cancelled')
    one.behave(200)
    waiting[0]!.end('Noted.')
    const { id: message, state } = await one.until(({ last }) => last?.status === 200)
    assert.equal(state, 'cancelled')
    assert.equal((await one.attempts(message)).length, 1)
    assert.equal((await one.desk.act('publish', id)).statusCode, 200)
    const last = await one.publish({ headline: 'News' })
    await one.until(({ state, piece }) => state === 'delivered' && piece!.id === last)
    assert.equal(one.received().length, 2)
  })
})

describe('resending', () => {
  test('one: at once, under its id; not again within ten seconds, and not while it is under way', async () => {
    const waiting: ServerResponse[] = []
    const one = await subscribe()
    await one.publish()
    const { id } = await one.until(({ state }) => state === 'delivered')
    one.behave((_request, response) => void waiting.push(response))
    const again = await post(one, `deliveries/${id}/resend`)
    assert.deepEqual([again.statusCode, again.json().delivery.state], [200, 'pending'])
    await receiver.expect(() => waiting.length === 1)
    const underWay = await post(one, `deliveries/${id}/resend`)
    assert.deepEqual([underWay.statusCode, underWay.json().reason], [409, 'illegal_transition'])
    waiting[0]!.end()
    await one.until(({ state }) => state === 'delivered')
    // Dates the resend to now, however long the answer took.
    await admin.query("update app.deliveries set resent_at = now() + interval '1 minute' where resent_at is not null")
    const soon = await post(one, `deliveries/${id}/resend`)
    assert.equal(soon.statusCode, 409)
    assert.match(soon.json().detail, /ten seconds/)
    assert.deepEqual(messages(one), [id, id])
    await admin.query("update app.deliveries set resent_at = now() - interval '11 seconds'")
    one.behave(200)
    assert.equal((await post(one, `deliveries/${id}/resend`)).statusCode, 200)
    await one.until(({ state, attempts }) => state === 'delivered' && attempts === 3)
  })

  test('a range, or of it what failed', async () => {
    const one = await subscribe()
    for (const headline of ['One', 'Two', 'Three', 'Four']) await one.publish({ headline })
    await one.untilWebhook(({ deliveries }) => deliveries.delivered === 4)
    const ids = (await one.log()).filter(({ event }) => event === 'piece.published').map(({ id }) => id)
    const uuid = (id: string) => id.slice(4)
    for (const [place, id] of ids.entries())
      await admin.query(
        "update app.deliveries set created_at = '2026-03-01T12:00:00Z'::timestamptz - make_interval(days => $2) where id = $1::uuid",
        [uuid(id), place],
      )
    await admin.query("update app.deliveries set state = 'exhausted' where id = any ($1::uuid[])", [
      [uuid(ids[1]!), uuid(ids[3]!)],
    ])
    const failed = { from: '2026-02-27T00:00:00Z', to: '2026-03-01T13:00:00Z', only_failed: true }
    assert.deepEqual((await post(one, 'deliveries/resend', failed)).json(), { ok: true, count: 1 })
    await until(async () => one.received().length === 5, 'it arrived')
    assert.equal(messages(one)[4], ids[1])
    const range = await post(one, 'deliveries/resend', { from: '2026-02-26T12:00:00Z', to: '2026-02-27T12:00:00Z' })
    assert.equal(range.json().count, 2)
    await until(async () => one.received().length === 7, 'they arrived')
    assert.deepEqual(messages(one).slice(5).sort(), [ids[2], ids[3]].sort())
    for (const from of ['yesterday', '2026-02-30T25:00:00Z'])
      assert.equal((await post(one, 'deliveries/resend', { from })).statusCode, 400, from)
  })

  test('what was exhausted has ten attempts again; pings are not resent; nothing goes to a webhook that is not live', async () => {
    const one = await subscribe(500)
    await one.publish()
    await one.until(({ last }) => last?.status === 500)
    await admin.query("update app.deliveries set tries = 9, attempts = 9 where writer_id = $1 and state = 'pending'", [
      one.writer.id,
    ])
    await one.makeDue()
    const { id } = await one.until(({ state }) => state === 'exhausted')
    assert.equal((await post(one, `deliveries/${id}/resend`)).statusCode, 200)
    const { due_at } = await one.until(({ state, attempts }) => state === 'pending' && attempts === 11)
    assert.ok(due_at)
    const ping = (await one.webhook()).ping!
    assert.deepEqual([ping.can_resend, (await post(one, `deliveries/${ping.id}/resend`)).statusCode], [false, 409])
    await post(one, 'pause')
    const refused = await post(one, `deliveries/${id}/resend`)
    assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'illegal_transition'])
  })
})

describe('rotating the secret', () => {
  const rotate = (one: Subscriber, payload: object) => post(one, 'rotate', payload)
  const hoursLeft = async (one: Subscriber) => {
    const until = (await one.webhook()).former_secret_until
    return until === null ? 0 : Math.round((Date.parse(until) - Date.now()) / 3_600_000)
  }

  test('keeps the old one for a day unless told: not at all, or a week at the most', async () => {
    for (const [given, hours] of [
      [{}, 24],
      [{ keep_hours: 0 }, 0],
      [{ keep_hours: 168 }, 168],
    ] as const) {
      const one = await subscribe()
      const rotated = await rotate(one, given)
      assert.match(rotated.json().secret, /^whsec_/)
      assert.notEqual(rotated.json().secret, one.secret)
      assert.equal(await hoursLeft(one), hours)
    }
    const one = await subscribe()
    for (const keep_hours of [-1, 169, 1.5, '24'])
      assert.equal((await rotate(one, { keep_hours })).statusCode, 400, String(keep_hours))
  })

  test('again while two are in use is refused, unless forced: then the oldest ends at once', async () => {
    const one = await subscribe()
    const second = (await rotate(one, {})).json().secret
    const refused = await rotate(one, {})
    assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'illegal_transition'])
    const third = (await rotate(one, { force: true })).json().secret
    await one.publish()
    await one.until(({ state }) => state === 'delivered')
    const { Webhook } = await import('standardwebhooks')
    const { body, headers } = one.received()[0]!
    const isBelieved = (secret: string) => {
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    }
    assert.deepEqual([one.secret, second, third].map(isBelieved), [false, true, true])
  })

  test('an old one whose time is over is thrown away by the sweep', async () => {
    const one = await subscribe()
    await rotate(one, {})
    await admin.query("update app.webhooks set former_until = now() - interval '1 second' where writer_id = $1", [
      one.writer.id,
    ])
    assert.equal((await one.webhook()).former_secret_until, null)
    const db = workerDatabase(url)
    await sweepDeliveries(db)
    const { rows } = await admin.query('select former_secret from app.webhooks where writer_id = $1', [one.writer.id])
    assert.deepEqual(rows, [{ former_secret: null }])
  })
})
