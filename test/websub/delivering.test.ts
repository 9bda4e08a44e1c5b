import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { renameWriter } from '../../server/features/authors/writers.ts'
import {
  claimCalls,
  expandFeedChanges,
  settleCalls,
  sweepFeedSubscriptions,
} from '../../server/features/websub/call-queue.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { inTransaction, makePiece, makeSeries, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import { makeCallsDue, openFeedHubSite, untilQuiet } from '../../testkit/feed-hub-site.ts'
import { addPastReads, scoreNow } from '../../testkit/read-counts.ts'
import { until } from '../../testkit/waiting.ts'

/** What subscribers of feeds get, with a subscriber that is written from the specification of WebSub. */

const site = await openFeedHubSite()
const { url, admin, base, ada, bo, first, feeds, subscriber } = site
const db = workerDatabase(url)
const worker = await site.work()

/** Nothing is sent meanwhile. */
async function whileNothingIsSent(act: () => Promise<unknown>): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('lock table app.feed_hosts in exclusive mode')
    await act()
  })
}

async function subscribed(feed: string, asked: Parameters<typeof subscriber.subscribe>[1] = {}) {
  const one = await subscriber.subscribe(feed, asked)
  await one.active()
  await untilQuiet(admin)
  return one
}

const titles = (body: Buffer): string[] => JSON.parse(String(body)).items.map(({ title }: { title: string }) => title)
const dueNow = (count: number, one: { readonly received: readonly unknown[] }, leases: 'kept' | 'expired' = 'kept') =>
  until(async () => {
    await makeCallsDue(admin, leases)
    return one.received.length >= count
  }, `${count} feeds have arrived`)

test('every kind of feed is sent whole, as it is served, signed with the secret of each subscriber', async () => {
  const all = await Promise.all(feeds.map((feed) => subscriber.subscribe(feed, { secret: randomUUID() })))
  for (const one of all) await one.active()
  await untilQuiet(admin)
  const piece = await makePiece(admin, ada, { headline: 'News', category: 'life', tags: ['tea'], locale: 'en' })
  await makeSeries(admin, ada, 'Other', [])
  await site.update(first, { headline: 'The first, changed' })
  await untilQuiet(admin)
  for (const one of all) {
    const { headers, body } = await one.feeds(1)
    const served = await fetch(one.topic)
    const last = one.received.at(-1)!.body
    assert.equal(String(last), await served.text(), one.topic)
    assert.equal(headers['content-type'], served.headers.get('content-type'))
    assert.equal(headers.link, `<${base}/desk/websub>; rel="hub", <${one.topic}>; rel="self"`)
    assert.match(String(headers['x-hub-signature']), /^sha256=[0-9a-f]{64}$/)
    assert.ok(body.length > 0)
    assert.deepEqual(one.ignored, [])
  }
  const [json] = all.filter(({ topic }) => topic === `${base}/author/ada/feed.json`)
  assert.deepEqual(titles(json!.received.at(-1)!.body), ['News', 'The first, changed'])
  await unpublish(admin, ada, piece)
  await untilQuiet(admin)
  assert.deepEqual(titles(json!.received.at(-1)!.body), ['The first, changed'])
  for (const one of all) await one.unsubscribe()
  for (const one of all) await one.ended()
})

describe('a change', () => {
  test('is sent to subscribers of the feeds that it is in, and of no other', async () => {
    const own = await subscribed(`${base}/author/bo/feed.json`)
    const others = await Promise.all(
      ['/author/ada/feed.json', '/category/life/feed.xml', '/topic/tea/feed.json', '/feed.json?language=en'].map(
        (path) => subscribed(base + path),
      ),
    )
    await makePiece(admin, bo, { category: 'money', locale: 'de' })
    await own.feeds(1)
    await untilQuiet(admin)
    assert.deepEqual(
      others.map(({ received }) => received.length),
      [0, 0, 0, 0],
    )
  })

  test('is sent without a signature to who gave no secret', async () => {
    const one = await subscribed(`${base}/author/bo/feed.xml`)
    await makePiece(admin, bo)
    const { headers } = await one.feeds(1)
    assert.equal(headers['x-hub-signature'], undefined)
  })

  test('of a series is sent when parts are added, and of what is read most when it is counted', async () => {
    const [series, trending] = [
      await subscribed(`${base}/author/ada/series/on-tea/feed.json`),
      await subscribed(`${base}/trending/feed.json`),
    ]
    await unpublish(admin, ada, first)
    await publish(admin, ada, first)
    await untilQuiet(admin)
    const { length } = trending.received
    await addPastReads(admin, first, 5, 1)
    await scoreNow(admin)
    await trending.feeds(length + 1)
    assert.deepEqual(titles(trending.received.at(-1)!.body), ['The first, changed'])
    assert.ok(series.received.length > 0)
  })

  test('that waits with others is sent once', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    await whileNothingIsSent(async () => {
      for (const headline of ['One', 'Two', 'Three']) await makePiece(admin, bo, { headline })
    })
    await one.feeds(1)
    await untilQuiet(admin)
    assert.equal(one.received.length, 1)
    assert.deepEqual(titles(one.received[0]!.body).slice(0, 3), ['Three', 'Two', 'One'])
  })

  test('that was taken back before it was sent is not sent', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    const piece = await makePiece(admin, bo)
    await one.feeds(1)
    await unpublish(admin, bo, piece)
    await one.feeds(2)
    await untilQuiet(admin)
    await whileNothingIsSent(async () => {
      await publish(admin, bo, piece)
      await unpublish(admin, bo, piece)
    })
    await untilQuiet(admin)
    assert.equal(one.received.length, 2)
  })

  test('that comes while the feed is being sent is sent after it', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    const waiting: ServerResponse[] = []
    one.behave((_request, response) => void waiting.push(response))
    await makePiece(admin, bo, { headline: 'Before' })
    await until(() => waiting.length === 1)
    await makePiece(admin, bo, { headline: 'Meanwhile' })
    await until(async () => (await admin.query('select from app.feed_changes')).rowCount === 0)
    one.behave(undefined)
    waiting[0]!.writeHead(200).end()
    await one.feeds(1)
    assert.equal(titles(one.received[0]!.body)[0], 'Meanwhile')
  })
})

describe('a subscriber', () => {
  test('whose server is away gets the newest when it is back, once', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    let tries = 0
    one.behave((_request, response) => {
      tries += 1
      response.writeHead(503).end()
    })
    await makePiece(admin, bo, { headline: 'Missed' })
    await until(() => tries === 1)
    await makePiece(admin, bo, { headline: 'Missed too' })
    await until(async () => {
      await makeCallsDue(admin)
      return tries > 1
    }, 'it is tried again')
    one.behave(undefined)
    await dueNow(1, one)
    await untilQuiet(admin)
    assert.equal(one.received.length, 1)
    assert.deepEqual(titles(one.received[0]!.body).slice(0, 2), ['Missed too', 'Missed'])
  })

  test('that refuses for days is given up until the next change, and stays subscribed', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    let tries = 0
    one.behave((_request, response) => {
      tries += 1
      response.writeHead(500).end()
    })
    await makePiece(admin, bo)
    await until(async () => {
      await makeCallsDue(admin)
      return tries === 10
    }, 'it was tried ten times')
    await untilQuiet(admin)
    assert.equal(tries, 10)
    one.behave(undefined)
    await makePiece(admin, bo)
    await one.feeds(1)
  })

  test('that answers 410 gets nothing any more', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    one.behave((_request, response) => response.writeHead(410).end())
    await makePiece(admin, bo)
    await until(async () => {
      const { rows } = await admin.query('select from app.feed_subscriptions where callback = $1', [one.callback])
      return rows.length === 0
    }, 'it is ended')
  })

  test('that does not answer delays nobody on other hosts', async () => {
    const dead = await subscribed(`${base}/author/bo/feed.json`)
    const waiting: ServerResponse[] = []
    dead.behave((_request, response) => void waiting.push(response))
    // Another name for the same server, which counts as a host of its own.
    const { rows } = await admin.query('select * from app.feed_subscriptions where callback = $1', [dead.callback])
    for (let count = 0; count < 40; count += 1)
      await admin.query(
        `insert into app.feed_subscriptions (key, topic, subject, callback, host, expires_at)
         values (sha256($1), $2, $3, $4, $5, now() + interval '1 day')`,
        [Buffer.from(randomUUID()), rows[0].topic, rows[0].subject, dead.callback, rows[0].host],
      )
    await admin.query("update app.feed_subscriptions set host = 'dead.test' where callback = $1", [dead.callback])
    const alive = await subscribed(`${base}/author/bo/feed.xml`)
    await makePiece(admin, bo)
    await alive.feeds(1)
    await until(() => waiting.length > 0)
    assert.ok(waiting.length <= 4, `${waiting.length} at once`)
    await admin.query("delete from app.feed_subscriptions where host = 'dead.test'")
    for (const response of waiting) response.destroy()
  })

  test('gets nothing when its lease is over, and is forgotten', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    const other = await subscribed(`${base}/author/bo/feed.xml`)
    await admin.query("update app.feed_subscriptions set expires_at = now() - interval '1 s' where callback = $1", [
      one.callback,
    ])
    await makePiece(admin, bo)
    await other.feeds(1)
    await untilQuiet(admin)
    assert.equal(one.received.length, 0)
    await sweepFeedSubscriptions(db)
    assert.equal(
      (await admin.query('select from app.feed_subscriptions where callback = $1', [one.callback])).rowCount,
      0,
    )
    assert.equal(
      (await admin.query('select from app.feed_subscriptions where callback = $1', [other.callback])).rowCount,
      1,
    )
    assert.equal((await admin.query('select from app.feed_hosts where host = $1', [subscriber.host])).rowCount, 1)
  })

  test('that renews with another secret gets feeds signed with it, also what was under way', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`, { secret: 'the first' })
    const waiting: ServerResponse[] = []
    one.behave((request, response) => {
      if (request.method === 'GET') one.behave(undefined)
      waiting.push(response)
    })
    await makePiece(admin, bo, { headline: 'Signed' })
    await until(() => waiting.length === 1)
    one.behave(undefined)
    await one.renew({ secret: 'the second' })
    await until(async () => {
      const { rows } = await admin.query('select from app.feed_verifications')
      return rows.length === 0
    }, 'it is renewed')
    waiting[0]!.writeHead(200).end()
    await one.feeds(1)
    assert.deepEqual(one.ignored, [])
    await one.renew()
    await untilQuiet(admin)
    await makePiece(admin, bo)
    const { headers } = await one.feeds(2)
    assert.equal(headers['x-hub-signature'], undefined)
  })

  test('of a feed that is gone is notified, and no longer subscribed', async () => {
    const piece = await makePiece(admin, bo, { tags: ['Leaving'] })
    const one = await subscribed(`${base}/topic/leaving/feed.xml`)
    await unpublish(admin, bo, piece)
    await until(() => one.isDenied())
    assert.equal(one.questions.at(-1)!['hub.reason'], 'There is no such feed any more.')
    await untilQuiet(admin)
    assert.equal((await admin.query('select from app.feed_subscriptions where topic = $1', [one.topic])).rowCount, 0)
  })

  test('of a writer who has another address now gets the feed with that address', async () => {
    const cy = await makeWriter(admin, { slug: 'cy', name: 'Cy' })
    await makePiece(admin, cy)
    const one = await subscribed(`${base}/author/cy/feed.json`)
    await inTransaction(admin, (client) => renameWriter(client, 'cy', 'cyrus'))
    await makePiece(admin, cy)
    const { headers, body } = await one.feeds(1)
    assert.match(String(headers.link), /\/author\/cyrus\/feed\.json>; rel="self"/)
    assert.equal(JSON.parse(String(body)).feed_url, `${base}/author/cyrus/feed.json`)
  })
})

describe('a worker that ends in the middle', () => {
  test('loses nothing: another takes over what it had when its lease is over, and it changes nothing any more', async () => {
    const one = await subscribed(`${base}/author/bo/feed.json`)
    await worker.stop()
    await makePiece(admin, bo, { headline: 'Half-way' })
    while (await expandFeedChanges(db));
    const claimed = await claimCalls(db, { healthy: 50, failing: 50 })
    assert.ok(claimed.length > 0)
    assert.deepEqual(await claimCalls(db, { healthy: 50, failing: 50 }), [], 'nobody else has it meanwhile')
    assert.equal(one.received.length, 0)
    const other = await site.work()
    await dueNow(1, one, 'expired')
    assert.equal(titles(one.received[0]!.body)[0], 'Half-way')
    await untilQuiet(admin)
    await other.stop()
    const state = () =>
      admin.query('select id, changes, sent, due_at, attempts from app.feed_subscriptions order by id')
    const before = (await state()).rows
    await settleCalls(
      db,
      claimed.map(({ id, lease_token: token }) => ({ id, token, outcome: 'ended', is_up: false })),
    )
    assert.deepEqual((await state()).rows, before)
  })

  test('while it notes a change for many leaves the others to the next', async () => {
    const [{ subject }] = (
      await admin.query("select subject from app.feed_subscriptions where topic like '%/author/bo/%' limit 1")
    ).rows
    await admin.query(
      `insert into app.feed_subscriptions (key, topic, subject, callback, host, expires_at)
       select sha256(convert_to('many' || n, 'UTF8')), $1, $2, 'http://many.test/' || n, 'many.test', now() + interval '1 day'
         from generate_series(1, 25) n`,
      [`${base}/author/bo/feed.json`, subject],
    )
    await makePiece(admin, bo)
    const expand = async () =>
      (await db.run<{ found: boolean }>({ text: 'select app.expand_feed_changes(10) as found' }))[0]!.found
    const count = async (condition: string) =>
      (await admin.query(`select from app.feed_subscriptions where ${condition}`)).rowCount!
    assert.equal(await count('due_at is not null'), 0)
    assert.equal(await expand(), true)
    assert.equal(await count('due_at is not null'), 10)
    while (await expand());
    const isNoted = `subject = '${subject}' and expires_at > now()`
    assert.equal(await count(`due_at is not null and ${isNoted}`), await count(isNoted))
  })
})
