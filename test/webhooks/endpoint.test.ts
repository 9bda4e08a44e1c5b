import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** The life cycle of a webhook: saved, verified, moved, paused, disabled, removed. */

const { url, app, admin, receiver, mailbox, addWebhook, subscribe, workerRound } = await openWebhookSite()

const post = (one: Subscriber, path: string, payload?: object) => one.desk.ask('POST', `webhook/${path}`, payload)
const put = (one: Subscriber, url: string) => one.desk.ask('PUT', 'webhook', { url })
/** As if the last ping were long ago. */
const longAgo = (one: Subscriber) =>
  admin.query(
    "update app.deliveries set created_at = created_at - interval '2 hours' where writer_id = $1 and event = 'webhook.ping'",
    [one.writer.id],
  )
const set = (one: Subscriber, what: string) =>
  admin.query(`update app.webhooks set ${what} where writer_id = $1`, [one.writer.id])
const emailTo = (one: Subscriber, subject: RegExp) => mailbox.waitForEmail(`${one.writer.slug}@site.test`, subject)

describe('proving', () => {
  test('a new webhook has a secret that is shown once, is unproven, and lives from the first ping answered with 2xx', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    assert.deepEqual((await desk.ask('GET', 'webhook')).json(), { ok: true, webhook: null })
    const path = `/${writer.slug}`
    receiver.behave(500, path)
    const url = `http://${receiver.host}${path}`
    const saved = (await desk.ask('PUT', 'webhook', { url: `  ${url}#part ` })).json()
    assert.match(saved.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual([saved.webhook.url, saved.webhook.state, saved.webhook.proven_at], [url, 'unproven', null])
    assert.equal(saved.webhook.secret_hint, `…${saved.secret.slice(-5, -1)}`)
    const asked = await until(async () => {
      const { webhook } = (await desk.ask('GET', 'webhook')).json()
      return webhook.ping.last ? webhook : undefined
    }, 'the ping failed')
    assert.deepEqual(
      [asked.state, asked.ping.state, asked.ping.last.status, asked.failures],
      ['unproven', 'exhausted', 500, 0],
    )
    const body = (await desk.ask('GET', 'webhook')).body
    assert.ok(!body.includes(saved.secret) && !body.includes(saved.secret.slice(6, 20)))
  })

  test('an address that cannot be called is refused with what to do, in the language of the desk', async () => {
    const desk = deskOf(app, await makeWriter(admin))
    for (const [language, sentence] of [
      ['en', 'Use a URL that starts with https://.'],
      ['de', 'Verwenden Sie eine URL, die mit https:// beginnt.'],
    ] as const) {
      const answer = await desk.ask('PUT', 'webhook', { url: 'http://example.org/' }, { 'accept-language': language })
      assert.deepEqual(answer.json().errors, [{ pointer: '/url', code: 'url_not_https', detail: sentence }])
    }
  })

  test('what is published before the first answer is told to nobody; a ping that is answered opens the door', async () => {
    const one = await addWebhook(500)
    await one.untilWebhook(({ ping }) => ping!.state === 'exhausted')
    await one.publish()
    assert.equal((await one.log()).filter(({ event }) => event === 'piece.published').length, 0)
    one.behave(204)
    await longAgo(one)
    assert.equal((await post(one, 'ping')).statusCode, 202)
    const live = await one.untilWebhook(({ state }) => state === 'live')
    assert.ok(live.proven_at)
    assert.equal(live.owner_proven_at, null)
    await one.publish()
    await one.until(({ event, state }) => event === 'piece.published' && state === 'delivered')
    assert.equal(one.received().length, 1)
  })

  test('redirects, client errors and a server that is not there prove nothing', async () => {
    for (const status of [301, 302, 307, 400, 404, 410]) {
      const one = await addWebhook(status)
      const { state } = await one.untilWebhook(({ ping }) => ping!.state === 'exhausted')
      assert.equal(state, 'unproven', `${status}`)
    }
    assert.equal(mailbox.emails().length, 0)
  })

  test('a server that echoes the challenge shows whose it is', async () => {
    const one = await addWebhook((_request, response, body) => response.end(JSON.parse(body.toString()).challenge))
    const { owner_proven_at } = await one.untilWebhook(({ state }) => state === 'live')
    assert.ok(owner_proven_at)
    const ping = one.pings()[0]!
    const { challenge, id, _service, ...more } = JSON.parse(ping.body.toString())
    assert.match(challenge, /^[0-9a-f]{32}$/)
    assert.deepEqual([id, _service, more], [ping.headers['webhook-id'], { event: 'webhook.ping', sequence: 0 }, {}])
  })
})

describe('another address', () => {
  test('must prove itself; what there is to send waits for it and then goes there, with the secret there was', async () => {
    const one = await subscribe(500)
    await one.publish()
    await one.until(({ last }) => last?.status === 500)
    receiver.behave(500, `${one.path}/new`)
    await longAgo(one)
    const moved = await put(one, `${one.url}/new`)
    assert.deepEqual([moved.statusCode, moved.json().secret], [200, null], moved.body)
    assert.equal(moved.json().webhook.state, 'unproven')
    await one.untilWebhook(({ ping }) => ping!.state === 'exhausted')
    await one.publish({ headline: 'Meanwhile' })
    const { deliveries: pieces, listed } = await one.webhook()
    assert.deepEqual(pieces, { pending: 0, held: 2, delivered: 0, exhausted: 0, cancelled: 0 })
    // Including the pings: one that made it live, one that failed at the new address.
    assert.deepEqual(listed, { pending: 0, held: 2, delivered: 1, exhausted: 1, cancelled: 0 })
    receiver.behave(200, `${one.path}/new`)
    await longAgo(one)
    await post(one, 'ping')
    await one.untilWebhook(({ deliveries }) => deliveries.delivered === 2)
    const there = receiver.delivered.filter(({ path }) => path === `${one.path}/new`)
    assert.deepEqual(
      there.filter(({ headers }) => headers['x-service-event'] === 'piece.published').map(({ path }) => path),
      [`${one.path}/new`, `${one.path}/new`],
    )
    assert.equal(one.received().length, 1, 'nothing went to the old one any more')
  })

  test('the same address again changes nothing but asks once more', async () => {
    const one = await subscribe()
    await longAgo(one)
    const again = await put(one, one.url)
    assert.deepEqual([again.json().webhook.state, again.json().secret], ['live', null])
    await until(async () => one.pings().length === 2, 'a second ping')
  })
})

describe('pausing', () => {
  test('holds what is published meanwhile, and resuming sends it', async () => {
    const one = await subscribe()
    assert.equal((await post(one, 'pause')).json().webhook.state, 'paused')
    await one.publish()
    assert.equal((await one.log())[0]!.state, 'held')
    await workerRound()
    assert.equal(one.received().length, 0)
    assert.equal((await post(one, 'resume')).json().webhook.state, 'live')
    await one.until(({ state }) => state === 'delivered')
  })

  test('a ping leaves a paused webhook paused', async () => {
    const one = await subscribe()
    await post(one, 'pause')
    await longAgo(one)
    await post(one, 'ping')
    await one.untilWebhook(({ ping }) => ping!.state === 'delivered')
    assert.equal((await one.webhook()).state, 'paused')
  })

  test('what is not live is not paused, what is not paused is not resumed, and what is not there is neither', async () => {
    const one = await subscribe()
    const refusal = (answer: Awaited<ReturnType<typeof post>>) => [answer.statusCode, answer.json().reason]
    assert.deepEqual(refusal(await post(one, 'resume')), [409, 'illegal_transition'])
    await post(one, 'pause')
    assert.deepEqual(refusal(await post(one, 'pause')), [409, 'illegal_transition'])
    const nobody = deskOf(app, await makeWriter(admin))
    for (const act of ['pause', 'resume', 'ping', 'rotate'])
      assert.deepEqual(refusal(await nobody.ask('POST', `webhook/${act}`, {})), [404, 'not_found'], act)
    assert.equal((await nobody.ask('DELETE', 'webhook')).statusCode, 404)
  })
})

describe('switched off', () => {
  test('at once by 410, with a email; what there is to send is held; a ping that is answered switches it on, and it can be resent', async () => {
    const one = await subscribe(410)
    await one.publish()
    const off = await one.untilWebhook(({ state }) => state === 'disabled')
    assert.equal(off.disabled_for, 'gone')
    assert.equal((await one.log())[0]!.state, 'held')
    const email = await emailTo(one, /was stopped/)
    assert.match(email.text, /410 Gone/)
    assert.ok(email.links.includes('https://site.test/desk/edit/online-presence#webhook'))
    await one.publish()
    assert.equal(one.received().length, 1, 'it was not called again')
    one.behave(200)
    await longAgo(one)
    await post(one, 'ping')
    await one.untilWebhook(({ state }) => state === 'live')
    const resent = await post(one, 'deliveries/resend', { from: '2026-01-01T00:00:00Z', only_failed: true })
    assert.deepEqual(resent.json(), { ok: true, count: 2 })
    await one.untilWebhook(({ deliveries }) => deliveries.delivered === 2)
  })

  test('after five days of failures, warned of after one; the clock starts when two failed half a day apart', async () => {
    const one = await subscribe(500)
    const failed = (count: number) => one.untilWebhook(({ failures }) => failures === count)
    // Only when no delivery is in flight, so that each is tried exactly once more.
    const failedAgain = async (count: number) => {
      await one.makeDue()
      await failed(count)
    }
    const since = async () =>
      (
        await admin.query('select first_failed_at, failing_since, warned_at from app.webhooks where writer_id = $1', [
          one.writer.id,
        ])
      ).rows[0]
    const first = await one.publish()
    await failed(1)
    assert.ok((await since()).first_failed_at)
    // A retry of the same delivery a day later does not count as a second failure.
    await set(one, "first_failed_at = now() - interval '1 day'")
    await failedAgain(2)
    assert.equal((await since()).failing_since, null)
    // Another delivery, but less than half a day after the first.
    await set(one, "first_failed_at = now() - interval '11 hours'")
    await one.publish()
    await failed(3)
    assert.equal((await since()).failing_since, null)
    await set(one, "first_failed_at = now() - interval '12 hours'")
    await failedAgain(5)
    assert.ok((await since()).failing_since)
    assert.equal(mailbox.emails().filter(({ to }) => to.includes(`${one.writer.slug}@site.test`)).length, 0)

    await set(one, "failing_since = now() - interval '1 day'")
    await failedAgain(7)
    await emailTo(one, /failing for a day/)
    await set(one, "failing_since = now() - interval '119 hours', rests_until = null")
    await failedAgain(9)
    assert.equal((await one.webhook()).state, 'live')
    await set(one, "failing_since = now() - interval '5 days', rests_until = null")
    await one.makeDue()
    const off = await one.untilWebhook(({ state }) => state === 'disabled')
    assert.equal(off.disabled_for, 'failing')
    await emailTo(one, /was stopped/)
    const emails = mailbox.emails().filter(({ to }) => to.includes(`${one.writer.slug}@site.test`))
    assert.equal(emails.length, 2, 'one warning and one about the end')
    await one.untilWebhook(({ deliveries }) => deliveries.held === 2)
    assert.ok(first)
  })

  test('one success and the clock stands still again', async () => {
    const one = await subscribe(500)
    await one.publish()
    await one.untilWebhook(({ failures }) => failures === 1)
    await set(one, "failing_since = now() - interval '4 days', warned_at = now()")
    one.behave(200)
    await one.makeDue()
    await one.untilWebhook(({ failures }) => failures === 0)
    const { rows } = await admin.query(
      'select first_failed, first_failed_at, failing_since, warned_at from app.webhooks where writer_id = $1',
      [one.writer.id],
    )
    assert.deepEqual(rows, [{ first_failed: null, first_failed_at: null, failing_since: null, warned_at: null }])
  })
})

test('a webhook that is removed is gone with its secret; what waited is cancelled, and another begins anew', async () => {
  const one = await subscribe(500)
  await one.publish()
  await one.until(({ last }) => last?.status === 500)
  assert.equal((await one.desk.ask('DELETE', 'webhook')).statusCode, 204)
  assert.equal((await one.desk.ask('GET', 'webhook')).json().webhook, null)
  const [kept] = await one.log()
  assert.deepEqual([kept!.state, kept!.can_resend], ['cancelled', false])
  assert.equal((await one.desk.ask('GET', `webhook/deliveries/${kept!.id}`)).json().delivery.body, null)
  assert.equal((await admin.query('select from app.webhooks where writer_id = $1', [one.writer.id])).rowCount, 0)
  await longAgo(one)
  const again = await put(one, one.url)
  assert.match(again.json().secret, /^whsec_/)
  assert.notEqual(again.json().secret, one.secret)
})

describe('what calls a stranger’s server', () => {
  test('is asked for once in three seconds, and sixty times an hour', async () => {
    const one = await subscribe()
    // Dates the ping that made it live to now, however long it took.
    await admin.query("update app.deliveries set created_at = now() + interval '1 minute' where writer_id = $1", [
      one.writer.id,
    ])
    const again = await post(one, 'ping')
    assert.deepEqual([again.statusCode, again.json().reason], [409, 'limit_reached'])
    assert.match(again.json().detail, /try again in a few seconds/)
    await longAgo(one)
    await admin.query(
      `insert into app.deliveries (writer_id, event, sequence, state, body, created_at)
       select $1, 'webhook.ping', 0, 'delivered', '{}', now() - interval '30 minutes' from generate_series(1, 60)`,
      [one.writer.id],
    )
    assert.equal((await post(one, 'ping')).statusCode, 409)
  })

  test('keeps nobody behind the same address from signing in', async () => {
    const strict = await testApp(url, { RATE_SIGN_IN: '1' })
    const desk = deskOf(strict, (await subscribe()).writer)
    const range = { from: new Date(0).toISOString() }
    for (let times = 0; times < 3; times += 1)
      assert.equal((await desk.ask('POST', 'webhook/deliveries/resend', range)).statusCode, 200)
    assert.equal((await desk.ask('POST', 'sign-in', {})).statusCode, 400)
  })

  test('a new address and a new secret need a fresh sign-in; looking, pausing and pinging do not', async () => {
    const one = await subscribe()
    await longAgo(one)
    await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
      one.writer.sessionId,
    ])
    for (const answer of [await put(one, `${one.url}/new`), await post(one, 'rotate', {})])
      assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'fresh_sign_in_required'])
    assert.equal((await one.desk.ask('GET', 'webhook')).statusCode, 200)
    assert.equal((await post(one, 'ping')).statusCode, 202)
    assert.equal((await post(one, 'pause')).statusCode, 200)
  })
})
