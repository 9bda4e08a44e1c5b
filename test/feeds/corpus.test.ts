import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { categories } from '../../server/features/pieces/schema.ts'
import { seedSite } from '../../server/seed/seed.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { type JsonFeed, parseFeeds, type RssFeed, readJsonFeed, readRss } from './readers.ts'

/** Every feed of a seeded site, to its last page, read by third-party parsers. */

const { url, admin } = await testDatabase()
const pieces = 200
await seedSite(url, { authors: 20, pieces, rng: 20_261_115, until: new Date('2026-11-15T00:00:00Z') })
const app = await testApp(url)
const base = 'https://site.test'

const body = async (address: string) => {
  const answer = await injectRetrying503(app, address)
  assert.equal(answer.statusCode, 200, address)
  return answer.body
}

const { rows: authors } = await admin.query<{ slug: string }>('select slug from pub.authors order by slug')
const channels = ['', ...categories.map((one) => `/category/${one}`), ...authors.map(({ slug }) => `/author/${slug}`)]

const json: JsonFeed[] = []
const texts: string[] = []
let rss: RssFeed[]
before(async () => {
  for (const channel of channels) {
    let query = ''
    for (;;) {
      const feed = readJsonFeed(await body(`${channel}/feed.json${query}`))
      json.push(feed)
      texts.push(await body(`${channel}/feed.xml${query}`))
      if (feed.next_url === undefined) break
      query = new URL(feed.next_url).search
    }
  }
  rss = readRss(texts)
})

test('every feed is JSON Feed 1.1 by its schema, and RSS by libxml2 and expat, with the same pieces', (t) => {
  t.diagnostic(`${json.length} pages of ${channels.length} feeds`)
  assert.ok(json.length > channels.length)
  assert.equal(rss.length, json.length)
  for (const [at, feed] of json.entries()) {
    assert.deepEqual(
      rss[at]!.items.map(({ guid, title, content }) => [guid, title, content]),
      feed.items.map(({ id, title, content_html }) => [id, title, content_html]),
    )
  }
})

test('feedparser complains of none, and finds id, author, dates and text of every piece', () => {
  const parsed = parseFeeds(texts)
  for (const [at, feed] of parsed.entries()) {
    assert.equal(feed.problem, null, json[at]!.feed_url)
    assert.equal(feed.version, 'rss20')
    const { items, title, language } = json[at]!
    assert.equal(feed.title, title)
    assert.equal(feed.language, language)
    assert.deepEqual(
      feed.ids,
      items.map(({ id }) => id),
    )
    assert.deepEqual(
      feed.authors,
      items.map((item) => item.authors[0]!.name),
    )
    assert.ok([...feed.published, ...feed.updated].every(Boolean))
    assert.ok(feed.texts.every((length) => length > 100))
  }
})

test('the feed of the site leads to every piece, and so do the categories and the authors together', () => {
  const idsOf = (isPart: (address: string) => boolean) =>
    json
      .filter(({ feed_url }) => isPart(feed_url))
      .flatMap(({ items }) => items.map(({ id }) => id))
      .sort()
  const all = idsOf((address) => address === `${base}/feed.json`)
  assert.equal(new Set(all).size, pieces)
  assert.deepEqual(
    idsOf((address) => address.includes('/category/')),
    all,
  )
  assert.deepEqual(
    idsOf((address) => address.includes('/author/')),
    all,
  )
})
