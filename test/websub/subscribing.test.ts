import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { policy } from '../../server/config/policy.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { makeCallsDue, openFeedHubSite, untilQuiet } from '../../testkit/feed-hub-site.ts'
import { type Answer, sendHubForm } from '../../testkit/feed-subscriber.ts'
import { until } from '../../testkit/waiting.ts'

/** Subscribing to feeds (W3C WebSub): with a subscriber that is written from the specification. */

const { admin, base, ada, feeds, subscriber, work } = await openFeedHubSite()
const hub = `${base}/desk/websub`
const everyFeed = [...feeds, `${base}/trending/feed.json`, `${base}/trending/feed.xml`]
await work()

const counted = async (table: 'feed_subscriptions' | 'feed_verifications', topic: string): Promise<number> =>
  (await admin.query(`select from app.${table} where topic = $1`, [topic])).rowCount!

async function send(given: Record<string, string>): Promise<{ status: number; type: string | null; text: string }> {
  const answer = await fetch(hub, { method: 'POST', body: new URLSearchParams(given) })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

const form = (given: Record<string, string> = {}) => ({
  'hub.mode': 'subscribe',
  'hub.topic': `${base}/feed.json`,
  'hub.callback': `http://${subscriber.host}/nobody`,
  ...given,
})

describe('every feed', () => {
  for (const feed of everyFeed)
    test(`names the hub and itself, in its header and in its document: ${feed.slice(base.length)}`, async () => {
      assert.deepEqual(await subscriber.discover(feed), { hub, topic: feed })
      assert.deepEqual(await subscriber.discover(feed, 'document'), { hub, topic: feed })
    })

  test('names the address that it has now, whatever is added to it', async () => {
    assert.equal((await subscriber.discover(`${base}/feed.json?utm_source=mail`)).topic, `${base}/feed.json`)
    assert.equal((await subscriber.discover(`${base}/topic/TEA/feed.xml`)).topic, `${base}/topic/tea/feed.xml`)
  })

  test('names them on its newest page only', async () => {
    const many = await makeWriter(admin, { slug: 'many' })
    for (let count = 0; count < 31; count += 1) await makePiece(admin, many)
    for (const name of ['feed.json', 'feed.xml']) {
      const first = await fetch(`${base}/author/many/${name}`)
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!
      const older = await fetch(next)
      assert.equal(older.headers.get('link'), null)
      assert.doesNotMatch(await older.text(), /websub/i)
    }
  })

  test('can be subscribed to', async () => {
    const all = await Promise.all(everyFeed.map((feed) => subscriber.subscribe(feed)))
    for (const one of all) {
      await one.active()
      const [question] = one.questions
      assert.equal(question!['hub.mode'], 'subscribe')
      assert.equal(question!['hub.topic'], one.topic)
      assert.match(question!['hub.challenge']!, /^[\w-]{43}$/)
      assert.equal(one.leaseSeconds(), 10 * 24 * 3600)
    }
    const challenges = all.map(({ questions }) => questions[0]!['hub.challenge'])
    assert.equal(new Set(challenges).size, all.length)
  })
})

describe('a subscription', () => {
  test('lasts as long as was asked for, within bounds', async () => {
    for (const [asked, given] of [
      [1, 3600],
      [86_400, 86_400],
      [9_999_999_999, 30 * 86_400],
    ] as const) {
      const one = await subscriber.subscribe(`${base}/feed.json`, { leaseSeconds: asked })
      await one.active()
      assert.equal(one.leaseSeconds(), given)
    }
  })

  test('keeps the parameters of its callback, before those of the question', async () => {
    const seen: string[] = []
    const one = await subscriber.subscribe(`${base}/feed.json`, {
      query: '?hub.mode=mine&b=%20c',
      answer: ({ url = '' }, response) => {
        seen.push(url)
        response.writeHead(200).end(new URL(url, base).searchParams.get('hub.challenge'))
      },
    })
    await until(() => seen.length > 0)
    const { pathname } = new URL(one.callback)
    assert.ok(seen[0]!.startsWith(`${pathname}?hub.mode=mine&b=%20c&hub.mode=subscribe&hub.topic=`), seen[0])
  })

  test('is renewed and ended by the same form, and by no other callback', async () => {
    const feed = `${base}/author/bo/feed.json`
    const one = await subscriber.subscribe(feed)
    await one.active()
    await one.renew({ leaseSeconds: 7200 })
    await until(() => one.leaseSeconds() === 7200)
    await untilQuiet(admin)
    assert.equal(await counted('feed_subscriptions', feed), 1)
    assert.equal(await sendHubForm(hub, form({ 'hub.mode': 'unsubscribe', 'hub.topic': feed })), 202)
    await untilQuiet(admin)
    assert.equal(await counted('feed_subscriptions', feed), 1)
    await one.unsubscribe()
    await one.ended()
    await untilQuiet(admin)
    assert.equal(await counted('feed_subscriptions', feed), 0)
  })

  test('that nobody has cannot be ended, and nobody is asked', async () => {
    const one = await subscriber.subscribe(`${base}/author/bo/feed.json`)
    await one.active()
    await one.unsubscribe()
    await one.ended()
    const { length } = one.questions
    await untilQuiet(admin)
    await one.unsubscribe()
    await untilQuiet(admin)
    assert.equal(one.questions.length, length)
  })

  test('begins only when the callback echoes the challenge: other answers change nothing', async () => {
    const feed = `${base}/author/bo/feed.xml`
    const one = await subscriber.subscribe(feed)
    await one.active()
    await untilQuiet(admin)
    const before = (await admin.query('select * from app.feed_subscriptions where topic = $1', [feed])).rows
    const challengeOf = (url = '') => new URL(url, base).searchParams.get('hub.challenge')
    const answers: Parameters<typeof one.behave>[0][] = [
      (_request, response) => response.writeHead(200).end('no challenge'),
      (_request, response) => response.writeHead(200).end(''),
      ({ url }, response) => response.writeHead(200).end(`${challengeOf(url)}${'.'.repeat(2000)}`),
      ({ url }, response) => response.writeHead(404).end(challengeOf(url)),
      ({ url }, response) => response.writeHead(302, { location: `/other?${url}` }).end(challengeOf(url)),
      ({ url }, response) => response.writeHead(410).end(challengeOf(url)),
    ]
    for (const answer of answers) {
      one.behave(answer)
      const { length } = one.questions
      await one.renew({ secret: 'another', leaseSeconds: 5000 })
      await makeCallsDue(admin)
      await until(() => one.questions.length > length)
      await untilQuiet(admin)
      assert.deepEqual(
        (await admin.query('select * from app.feed_subscriptions where topic = $1', [feed])).rows,
        before,
      )
    }
  })

  test('is asked about again, with another challenge, while its server is away; and given up at last', async () => {
    const away: Answer = (_request, response) => response.writeHead(503).end()
    const one = await subscriber.subscribe(`${base}/author/ada/feed.xml`, { answer: away })
    const asked = (count: number) => until(() => one.questions.length === count, `it was asked ${count} times`)
    await asked(1)
    await until(async () => {
      await makeCallsDue(admin)
      return one.questions.length === 2
    }, 'it is asked again')
    one.behave(undefined)
    await until(async () => {
      await makeCallsDue(admin)
      return one.leaseSeconds()
    }, 'it agrees')
    assert.equal(new Set(one.questions.map((question) => question['hub.challenge'])).size, one.questions.length)

    const never = await subscriber.subscribe(`${base}/author/ada/feed.xml`, { answer: away })
    await until(async () => {
      await makeCallsDue(admin)
      return never.questions.length === 4 && (await counted('feed_verifications', never.topic)) === 0
    }, 'it is given up after four times')
  })

  test('of a feed that is gone before the callback has agreed is denied', async () => {
    const piece = await makePiece(admin, ada, { tags: ['Passing'] })
    const feed = `${base}/topic/passing/feed.json`
    const one = await subscriber.subscribe(feed, { answer: (_request, response) => response.writeHead(503).end() })
    await until(() => one.questions.length > 0)
    await unpublish(admin, ada, piece)
    one.behave(undefined)
    await until(async () => {
      await makeCallsDue(admin)
      return one.isDenied()
    }, 'it is denied')
    await untilQuiet(admin)
    assert.equal(await counted('feed_subscriptions', feed), 0)
    assert.deepEqual([one.questions.at(-1)!['hub.mode'], one.questions.at(-1)!['hub.topic']], ['denied', feed])
  })

  test('has its secret in the database only encrypted', async () => {
    const one = await subscriber.subscribe(`${base}/feed.xml`, { secret: 'a secret of the subscriber' })
    await one.active()
    await untilQuiet(admin)
    const { rows } = await admin.query(
      'select s::text as text, secret from app.feed_subscriptions s where secret is not null',
    )
    assert.equal(rows.length, 1)
    assert.ok(!rows[0].text.includes('a secret') && !rows[0].secret.includes('a secret'))
  })
})

describe('what is refused, in plain text, before anybody is called', () => {
  const refused = async (given: Record<string, string>, why: RegExp) => {
    const { status, type, text } = await send(form(given))
    assert.deepEqual([status, type], [400, 'text/plain; charset=utf-8'], text)
    assert.match(text, why)
    assert.equal((await admin.query('select from app.feed_verifications')).rowCount, 0)
  }

  test('a topic that is no feed of this site, or not its address', async () => {
    const topics = [
      'https://elsewhere.example/feed.json',
      `${base}.example/feed.json`,
      `${base}/`,
      `${base}/author/ada`,
      `${base}/author/nobody/feed.json`,
      `${base}/category/none/feed.json`,
      `${base}/author/%/feed.json`,
      `${base}/author/ada/feed.atom`,
      'feed.json',
    ]
    for (const topic of topics) await refused({ 'hub.topic': topic }, /not a feed of this site/)
    const others = [
      '/feed.json?',
      '/feed.json?cursor=x',
      '/feed.json?language=EN',
      '/feed.json#part',
      '/topic/TEA/feed.xml',
    ]
    for (const topic of others)
      await refused({ 'hub.topic': base + topic }, /must be the rel="self" address of the feed: http/)
    await refused({ 'hub.topic': '' }, /hub\.topic is missing/)
  })

  test('a callback that is not on the public internet, or is this site', async () => {
    const callbacks = [
      'http://127.0.0.1:1/',
      'http://localhost/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/latest',
      'https://2130706433/',
      'https://metadata.internal/',
      'https://printer.local/',
      'https://example.org:8443/',
      'http://example.org/',
      'https://user:password@example.org/',
      'ftp://example.org/',
      `${base}/desk/websub`,
      'no address',
      `https://example.org/${'a'.repeat(2000)}`,
    ]
    for (const callback of callbacks) await refused({ 'hub.callback': callback }, /hub\.callback cannot be called/)
    await refused({ 'hub.callback': '' }, /hub\.callback is missing/)
  })

  test('another mode, a secret that is too long, and a lease that is no number', async () => {
    await refused({ 'hub.mode': 'publish' }, /hub\.mode/)
    await refused({ 'hub.mode': '' }, /hub\.mode/)
    await refused({ 'hub.secret': 'é'.repeat(100) }, /shorter than 200 bytes/)
    for (const lease of ['0', '-1', '1.5', 'x', '99999999999'])
      await refused({ 'hub.lease_seconds': lease }, /hub\.lease_seconds/)
  })

  test('a body that is no form, and an API key', async () => {
    const json = await fetch(hub, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    assert.equal(json.status, 415)
    const key = await fetch(hub, {
      method: 'POST',
      body: new URLSearchParams(form()),
      headers: { authorization: 'Bearer x' },
    })
    assert.equal(key.status, 400)
    assert.equal((await fetch(hub)).status, 405)
  })
})

describe('limits', () => {
  const inserted = (count: number, host: string, topic: string) =>
    admin.query(
      `insert into app.feed_subscriptions (key, topic, subject, callback, host, expires_at)
       select sha256(convert_to($2 || n, 'UTF8')), $3, 'site', 'http://x.test/' || n, $2, now() + interval '1 day'
         from generate_series(1, $1) n`,
      [count, host, topic],
    )
  const restored = async (act: () => Promise<void>) => {
    try {
      await act()
    } finally {
      await admin.query("delete from app.feed_subscriptions where host like '%.test'")
      await admin.query("delete from app.feed_verifications where host like '%.test'")
    }
  }
  const callback = `http://${subscriber.host}/nobody`

  test('a feed has so many subscribers, and who is one may renew', () =>
    restored(async () => {
      const feed = `${base}/feed.json`
      const one = await subscriber.subscribe(feed)
      await one.active()
      await inserted(policy.feed_subscriptions_per_feed, 'many.test', feed)
      const { status, text } = await send(form({ 'hub.topic': feed, 'hub.callback': callback }))
      assert.deepEqual([status, text], [429, 'This feed has too many subscribers. Poll it instead.\n'])
      await one.renew({ leaseSeconds: 4000 })
      await until(() => one.leaseSeconds() === 4000)
      assert.equal((await send(form({ 'hub.topic': `${base}/feed.xml`, 'hub.callback': callback }))).status, 202)
    }))

  test('a host has so many subscriptions, and so many requests that it has not confirmed', () =>
    restored(async () => {
      await admin.query('update app.feed_subscriptions set host = $1 where host = $2', ['aside.test', subscriber.host])
      await inserted(policy.feed_subscriptions_per_host, 'full.test', `${base}/feed.xml`)
      await admin.query("update app.feed_subscriptions set host = $1 where host = 'full.test'", [subscriber.host])
      const full = await send(form())
      assert.equal(full.status, 429)
      assert.match(full.text, /This host has too many subscriptions/)
      await admin.query("update app.feed_subscriptions set host = 'full.test' where callback like 'http://x.test/%'")
      await untilQuiet(admin)
      await admin.query(
        `insert into app.feed_verifications (key, mode, topic, callback, host, due_at)
         select sha256(convert_to('waiting' || n, 'UTF8')), 'unsubscribe', $2, 'http://x.test/' || n, $1, now() + interval '1 day'
           from generate_series(1, $3) n`,
        [subscriber.host, `${base}/feed.xml`, policy.feed_verifications_per_host],
      )
      assert.equal((await send(form())).status, 429)
      await admin.query("delete from app.feed_verifications where callback like 'http://x.test/%'")
      assert.equal((await send(form())).status, 202)
    }))

  test('a network sends so many requests a day', async () => {
    await admin.query('update app.follow_requests set count = $1', [policy.feed_requests_per_network])
    const { status, text } = await send(form())
    assert.equal(status, 429)
    assert.match(text, /Your network has sent too many requests today/)
    await admin.query('update app.follow_requests set count = 0')
    await untilQuiet(admin)
  })

  test('a host that confirms nothing is called less and less often, and one that confirms as before', async () => {
    const host = async () =>
      (await admin.query('select * from app.feed_hosts where host = $1', [subscriber.host])).rows[0]
    await untilQuiet(admin)
    const rests: number[] = []
    for (let count = 0; count < 5; count += 1) {
      await makeCallsDue(admin)
      await until(async () => (await host()).ready_at === null, 'the worker has looked at it')
      const { failures } = await host()
      await send(form({ 'hub.callback': `${callback}/${count}` }))
      await until(async () => (await host()).failures > failures)
      rests.push((await host()).rests_until - Date.now())
    }
    assert.ok(rests.at(-1)! > rests[0]! + 2000, `${rests}`)
    assert.equal((await host()).width, 1)
    const one = await subscriber.subscribe(`${base}/feed.json`)
    await until(async () => {
      await makeCallsDue(admin)
      return one.leaseSeconds()
    })
    await untilQuiet(admin)
    assert.equal((await host()).failures, 0)
  })
})
