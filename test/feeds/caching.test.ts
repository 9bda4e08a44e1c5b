import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { fetchRetrying503 } from '../../testkit/http.ts'
import { readJsonFeed } from './readers.ts'

/** Feeds over HTTP: caching for readers that poll every few minutes, and CORS for pages of other sites. */

const { admin, app, ask } = await testSite()

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const older = await makePiece(admin, ada, { headline: 'On tea', publishedAt: new Date('2026-01-01T10:00:00.250Z') })
await makePiece(admin, ada, { headline: 'More tea', publishedAt: new Date('2026-01-02T10:00:00.750Z') })

const feeds = ['/author/ada', '/category/building', ''].flatMap((channel) => [
  `${channel}/feed.json`,
  `${channel}/feed.xml`,
])

const kept = 'public, max-age=0, s-maxage=30, must-revalidate'

for (const feed of feeds) {
  describe(`GET ${feed}`, () => {
    test('may be kept by an edge for 30 seconds, and has the same strong ETag while nothing changes', async () => {
      const [one, two] = [await ask(feed), await ask(feed)]
      assert.equal(one.headers['cache-control'], kept)
      assert.match(String(one.headers['etag']), /^"[!#-~]+"$/)
      assert.equal(one.headers['etag'], two.headers['etag'])
      assert.equal(one.body, two.body)
    })

    test('answers 304 to its ETag, and whole to another', async () => {
      const { etag } = (await ask(feed)).headers
      const same = await ask({ url: feed, headers: { 'if-none-match': String(etag) } })
      assert.equal(same.statusCode, 304)
      assert.equal(same.body, '')
      assert.equal(same.headers['etag'], etag)
      assert.equal(same.headers['cache-control'], kept)
      assert.equal((await ask({ url: feed, headers: { 'if-none-match': '"other"' } })).statusCode, 200)
    })

    test('tells the date of its last change, and is whole for whoever knows no more than that date', async () => {
      const modified = 'Fri, 02 Jan 2026 10:00:00 GMT'
      assert.equal((await ask(feed)).headers['last-modified'], modified)
      const since = await ask({ url: feed, headers: { 'if-modified-since': modified } })
      assert.equal(since.statusCode, 200)
    })

    test('says no length but its own to HEAD, also when nothing has changed', async () => {
      const { etag } = (await ask(feed)).headers
      const head = await ask({ method: 'HEAD', url: feed, headers: { 'if-none-match': String(etag) } })
      assert.equal(head.statusCode, 304)
      assert.ok([undefined, '0'].includes(head.headers['content-length'] as string | undefined))
    })

    test('HEAD tells what GET would', async () => {
      const [get, head] = [await ask(feed), await ask({ method: 'HEAD', url: feed })]
      assert.equal(head.statusCode, 200)
      assert.equal(head.body, '')
      for (const name of ['content-type', 'etag', 'last-modified', 'content-length', 'surrogate-key'])
        assert.equal(head.headers[name], get.headers[name], name)
      const same = await ask({ method: 'HEAD', url: feed, headers: { 'if-none-match': String(get.headers['etag']) } })
      assert.equal(same.statusCode, 304)
    })

    test('takes no other method, and says which it takes', async () => {
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const answer = await ask({ method, url: feed })
        assert.equal(answer.statusCode, 405)
        assert.match(String(answer.headers['allow']), /GET/)
      }
    })

    test('is open to browsers of every origin', async () => {
      const { headers } = await ask({ url: feed, headers: { origin: 'https://elsewhere.test' } })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['set-cookie'], undefined)
      const preflight = await ask({ method: 'OPTIONS', url: feed, headers: { origin: 'https://elsewhere.test' } })
      assert.equal(preflight.statusCode, 204)
    })

    test('lets nothing in it run', async () => {
      const { headers } = await ask(feed)
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
    })
  })
}

test('an edge finds what to purge: the feed of an author by the author, the others as lists', async () => {
  const tags = async (feed: string) => (await ask(feed)).headers['surrogate-key']
  assert.deepEqual(await Promise.all(feeds.map(tags)), [
    ...['author-ada byline-ada', 'author-ada byline-ada'],
    ...['pieces', 'pieces'],
    ...['pieces', 'pieces'],
  ])
})

describe('a feed shows at once', () => {
  const etags = async () => Promise.all(feeds.map(async (feed) => (await ask(feed)).headers['etag']))
  const changes = (what: string, change: () => Promise<unknown>) =>
    test(what, async () => {
      const before = await etags()
      await change()
      const after = await etags()
      for (const [at, feed] of feeds.entries()) assert.notEqual(after[at], before[at], `${feed} is as it was`)
      assert.deepEqual(await etags(), after)
    })

  let newest: string
  changes('a new piece', async () => {
    newest = await makePiece(admin, ada, { headline: 'Newest' })
  })
  changes('that a piece was unpublished', () => unpublish(admin, ada, newest))
  changes('that a piece in the middle was unpublished', () => unpublish(admin, ada, older))
  changes('a new name of its author', () =>
    inTransaction(admin, async (client) => {
      await client.query("update app.writers set name = 'Ada O.' where id = $1", [ada.id])
      await publishProfile(client, ada.id)
    }),
  )
  changes('a text that was changed and nothing else', () =>
    inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query(
        "update pub.piece_contents set html = replace(html, 'A body', 'A b0dy') where author_id = $1",
        [ada.id],
      )
    }),
  )

  test('a new address of its author, which the old one leads to', async () => {
    await inTransaction(admin, async (client) => {
      await renameWriter(client, 'ada', 'ada-o')
      await publishProfile(client, ada.id)
    })
    const moved = await ask('/author/ada/feed.json')
    assert.equal(moved.statusCode, 301)
    assert.equal(moved.headers['location'], 'https://site.test/author/ada-o/feed.json')
    const feed = readJsonFeed((await ask('/author/ada-o/feed.json')).body)
    assert.equal(feed.feed_url, 'https://site.test/author/ada-o/feed.json')
    assert.ok(feed.items.every((item) => item.url.startsWith('https://site.test/author/ada-o/')))
  })
})

describe('through a socket', () => {
  let base: string
  before(async () => {
    const big = await makeWriter(admin, { slug: 'big' })
    // Half a megabyte of text in several scripts, so that the answer spans many packets.
    for (let number = 0; number < 12; number += 1)
      await makePiece(admin, big, { headline: `Long ${number}`, body_md: 'Grüße, 茶 and 🫖, "again".\n\n'.repeat(700) })
    await app.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })

  const fetched = (address: string, init?: RequestInit) => fetchRetrying503(`${base}${address}`, init)

  for (const ending of ['json', 'xml']) {
    test(`a long feed.${ending} arrives whole, as many times as it is asked for`, async () => {
      const address = `/author/big/feed.${ending}`
      const expected = (await ask(address)).body
      assert.ok(expected.length > 200_000)
      const texts = await Promise.all(
        Array.from({ length: 8 }, async () =>
          (await fetched(address, { headers: { 'accept-encoding': 'identity' } })).text(),
        ),
      )
      for (const text of texts) assert.equal(text, expected)
    })

    test(`feed.${ending} is the same text, compressed or not`, async () => {
      const address = `/author/big/feed.${ending}`
      const texts = await Promise.all(
        ['identity', 'gzip', 'br'].map(async (encoding) =>
          (await fetched(address, { headers: { 'accept-encoding': encoding } })).text(),
        ),
      )
      assert.equal(texts[1], texts[0])
      assert.equal(texts[2], texts[0])
    })
  }
})
