import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { categories } from '../../server/features/pieces/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { inTransaction, makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { type JsonFeed, parseFeeds, readJsonFeed, readRss } from '../feeds/readers.ts'

/** 4.6: feeds of each author in JSON Feed 1.1 and RSS; of the site and of each category, by docs/adr. */

const { admin, app, ask } = await testSite({ SITE_NAME: 'The Site', SITE_DESCRIPTION: 'What we print.' })
const base = 'https://site.test'

const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada & <Okafor>',
  bio: 'Writes.',
  avatarUrl: 'https://ada.example/a.png',
  verified: true,
})
const bob = await makeWriter(admin, { slug: 'bob', name: 'Bob' })
await makeWriter(admin, { slug: 'new-here', name: 'New' })

const first = await makePiece(admin, ada, {
  headline: 'On tea <b>& "more"</b>',
  sub: 'Four < five & six.',
  body_md: [
    '# Tea',
    'See [below](#tea) and a note.[^1] An [elsewhere](https://x.example/?a=1&b=2) too.',
    '![A cup](https://x.example/cup.png)',
    '`<a href="#code">`',
    '[^1]: The note.',
  ].join('\n\n'),
  category: 'life',
  tags: ['tea', 'life', 'R&D'],
  style: 'letter',
  externalUrl: 'https://ada.example/tea',
  publishedAt: new Date('2026-01-02T03:04:05.678Z'),
})
const plain = await makePiece(admin, bob, {
  headline: 'No standfirst',
  body_md: 'Only a body.',
  category: 'money',
  publishedAt: new Date('2026-01-03T00:00:00Z'),
})
await makeDraft(admin, ada, { headline: 'SECRET draft' })

const jsonOf = async (address: string): Promise<JsonFeed> => readJsonFeed((await ask(`${address}/feed.json`)).body)
const rssOf = async (address: string) => readRss([(await ask(`${address}/feed.xml`)).body])[0]!

const channels = ['/author/ada', '/author/new-here', '', '/category/life', '/category/civic']

for (const channel of channels) {
  describe(`feeds at ${channel || '/'}`, () => {
    test('feed.json is JSON Feed 1.1 and says so', async () => {
      const answer = await ask(`${channel}/feed.json`)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'application/feed+json')
      readJsonFeed(answer.body)
    })

    test('feed.xml is RSS 2.0 and says so', async () => {
      const answer = await ask(`${channel}/feed.xml`)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'application/rss+xml; charset=utf-8')
      assert.equal(readRss([answer.body])[0]?.version, '2.0')
      assert.doesNotMatch(answer.body, /CDATA/)
    })

    test('feedparser reads feed.xml without a complaint', async () => {
      const [parsed] = parseFeeds([(await ask(`${channel}/feed.xml`)).body])
      assert.equal(parsed?.problem, null)
      assert.equal(parsed?.version, 'rss20')
    })

    test('both name the same feed and hold the same pieces', async () => {
      const [json, rss] = [await jsonOf(channel), await rssOf(channel)]
      assert.equal(rss.title, json.title)
      assert.equal(rss.description, json.description)
      assert.equal(rss.link, json.home_page_url)
      assert.equal(rss.language, json.language)
      assert.equal(json.feed_url, `${base}${channel}/feed.json`)
      assert.deepEqual(rss.links, [
        { rel: 'hub', href: `${base}/desk/websub` },
        { rel: 'self', type: 'application/rss+xml', href: `${base}${channel}/feed.xml` },
      ])
      assert.deepEqual(json.hubs, [{ type: 'WebSub', url: `${base}/desk/websub` }])
      assert.deepEqual(
        rss.items.map(({ guid }) => guid),
        json.items.map(({ id }) => id),
      )
    })

    test('every address is whole', async () => {
      const { body } = await ask(`${channel}/feed.json`)
      for (const { content_html } of readJsonFeed(body).items) {
        for (const [, address] of content_html.matchAll(/<[^>]* (?:href|src)="([^"]*)"/g))
          assert.match(String(address), /^(https?:\/\/|mailto:)/)
      }
      for (const [, address] of body.matchAll(/"\w*(?:url|icon|avatar|id)":"([^"]*)"/g))
        assert.match(String(address), /^https?:\/\//)
    })

    test('no draft is in it', async () => {
      for (const ending of ['json', 'xml']) assert.doesNotMatch((await ask(`${channel}/feed.${ending}`)).body, /SECRET/)
    })
  })
}

describe("an author's feed", () => {
  test('names the author, with profile and picture', async () => {
    const feed = await jsonOf('/author/ada')
    const { title, description, home_page_url, icon, authors, language } = feed
    assert.deepEqual(
      { title, description, home_page_url, icon, language },
      {
        title: 'Ada & <Okafor>',
        description: 'Writes.',
        home_page_url: `${base}/author/ada`,
        icon: 'https://ada.example/a.png',
        language: 'en',
      },
    )
    assert.deepEqual(authors, [
      { name: 'Ada & <Okafor>', url: `${base}/author/ada`, avatar: 'https://ada.example/a.png' },
    ])
    assert.equal((await ask(String(feed.favicon).slice(base.length))).statusCode, 200)
  })

  test('is valid where there are no pieces, no bio and no picture', async () => {
    const feed = await jsonOf('/author/new-here')
    assert.deepEqual(feed.items, [])
    assert.deepEqual(feed.authors, [{ name: 'New', url: `${base}/author/new-here` }])
    assert.ok(feed.description)
    const rss = await rssOf('/author/new-here')
    assert.deepEqual(rss.items, [])
    assert.equal(rss.lastBuildDate, null)
  })

  test('holds their pieces and nobody else’s', async () => {
    const { items } = await jsonOf('/author/ada')
    assert.deepEqual(
      items.map(({ id }) => id),
      [`${base}/p/${first}`],
    )
  })

  test('is the address that the author’s own record gives', async () => {
    const { author } = (await ask('/api/public/authors/ada')).json()
    for (const address of [author.urls.feed_json, author.urls.feed_rss] as string[])
      assert.equal((await ask(address.slice(base.length))).statusCode, 200)
  })

  for (const ending of ['json', 'xml']) {
    test(`feed.${ending} of nobody is 404 with the error body`, async () => {
      for (const slug of ['nobody', 'Ada', 'a%00', '%F0%9F%90%8C', 'a'.repeat(3000)]) {
        const answer = await ask(`/author/${slug}/feed.${ending}`)
        assert.equal(answer.statusCode, 404)
        assert.equal(answer.json().reason, 'not_found')
        assert.equal(answer.headers['cache-control'], 'no-store')
      }
    })

    test(`feed.${ending} of a former slug leads to the present one, at the same page`, async () => {
      const writer = await makeWriter(admin, { slug: `old-name-${ending}` })
      await inTransaction(admin, async (client) => {
        await renameWriter(client, writer.slug, `new-name-${ending}`)
        await publishProfile(client, writer.id)
      })
      for (const query of ['', '?cursor=abc']) {
        const answer = await ask(`/author/old-name-${ending}/feed.${ending}${query}`)
        assert.equal(answer.statusCode, 301)
        assert.equal(answer.headers['location'], `${base}/author/new-name-${ending}/feed.${ending}${query}`)
      }
    })
  }
})

describe('the feeds of the site and of a category', () => {
  test('the site: everything, newest first', async () => {
    const { title, description, home_page_url, items, authors } = await jsonOf('')
    assert.deepEqual(
      { title, description, home_page_url },
      { title: 'The Site', description: 'What we print.', home_page_url: `${base}/` },
    )
    assert.deepEqual(
      items.map(({ id }) => id),
      [plain, first].map((id) => `${base}/p/${id}`),
    )
    assert.equal(authors, undefined)
  })

  test('a category: its pieces', async () => {
    const { title, home_page_url, items } = await jsonOf('/category/money')
    assert.deepEqual([title, home_page_url], ['Money · The Site', `${base}/category/money`])
    assert.deepEqual(
      items.map(({ id }) => id),
      [`${base}/p/${plain}`],
    )
  })

  test('each category has its feeds, and nothing else has', async () => {
    for (const ending of ['json', 'xml']) {
      for (const category of categories)
        assert.equal((await ask(`/category/${category}/feed.${ending}`)).statusCode, 200)
      for (const other of ['poetry', 'LIFE', 'life%20', 'constructor', '__proto__'])
        assert.equal((await ask(`/category/${other}/feed.${ending}`)).statusCode, 404)
    }
  })
})

describe('an item', () => {
  test('of feed.json is the Piece of the API, for readers away from the page', async () => {
    for (const id of [first, plain]) {
      const { piece } = (await ask(`/api/public/pieces/${id}`)).json()
      const item = (await jsonOf('')).items.find((one) => one.id === piece.id)
      const { avatar, ...author } = piece.authors[0]
      assert.deepEqual(item, {
        ...piece,
        content_html: piece.content_html.replaceAll('<a href="#', `<a href="${piece.url}#`),
        // JSON Feed has no null.
        authors: [avatar === null ? author : { ...author, avatar }],
        language: 'en',
      })
    }
  })

  test('leads to headings and notes on the page, and leaves code alone', async () => {
    const [item] = (await jsonOf('/author/ada')).items
    const page = `${base}/author/ada/on-tea-b-more-b`
    for (const link of [`<a href="${page}#s-tea" `, `<a href="${page}#fn-1" `, `<a href="${page}#fnref-1" `])
      assert.ok(item?.content_html.includes(link), `${link} is not in ${item?.content_html}`)
    assert.ok(item?.content_html.includes('&lt;a href="#code"&gt;'))
    assert.ok(item?.content_html.includes('src="https://x.example/cup.png"'))
  })

  test('of feed.xml has id, dates, author, categories, standfirst and the whole text', async () => {
    const [item] = (await rssOf('/author/ada')).items
    const [json] = (await jsonOf('/author/ada')).items
    assert.deepEqual(item, {
      title: 'On tea <b>& "more"</b>',
      link: json?.url,
      guid: `${base}/p/${first}`,
      isPermaLink: 'false',
      pubDate: 'Fri, 02 Jan 2026 03:04:05 GMT',
      updated: '2026-01-02T03:04:05.678Z',
      creators: ['Ada & <Okafor>'],
      language: 'en',
      categories: ['life', 'tea', 'R&D'],
      description: 'Four &lt; five &amp; six.',
      summary: 'Four < five & six.',
      content: json?.content_html,
    })
  })

  test('without a standfirst is described by its first words', async () => {
    assert.equal((await rssOf('/author/bob')).items[0]?.summary, 'Only a body.')
  })

  test('keeps its pubDate when it is updated; the change is told beside it', async () => {
    const writer = await makeWriter(admin, { slug: 'changing' })
    const id = await makePiece(admin, writer, { headline: 'Before', publishedAt: new Date('2026-02-02T02:02:02Z') })
    const desk = deskOf(app, writer)
    const [before] = (await rssOf('/author/changing')).items
    const { headers } = await desk.ask('GET', `pieces/${id}`)
    const saved = await desk.ask(
      'PATCH',
      `pieces/${id}`,
      { headline: 'After' },
      { 'if-match': String(headers['etag']) },
    )
    assert.equal(saved.statusCode, 200, saved.body)
    assert.equal((await desk.act('update', id)).statusCode, 200)
    const feed = await rssOf('/author/changing')
    const [after] = feed.items
    assert.equal(after?.title, 'After')
    assert.equal(after?.pubDate, before?.pubDate)
    assert.equal(after?.guid, before?.guid)
    assert.equal(after?.link, before?.link)
    assert.ok(Date.parse(String(after?.updated)) > Date.parse(String(before?.updated)))
    assert.equal(feed.lastBuildDate, new Date(String(after?.updated)).toUTCString())
  })

  test('is gone from every feed once it is unpublished', async () => {
    const writer = await makeWriter(admin, { slug: 'leaving' })
    const id = await makePiece(admin, writer, { category: 'culture' })
    const feeds = ['/author/leaving', '/category/culture', ''].flatMap((channel) => [
      `${channel}/feed.json`,
      `${channel}/feed.xml`,
    ])
    for (const feed of feeds) assert.ok((await ask(feed)).body.includes(id), `${feed} lacks it`)
    await unpublish(admin, writer, id)
    for (const feed of feeds) assert.ok(!(await ask(feed)).body.includes(id), `${feed} still has it`)
  })
})

describe('thirty at a time', () => {
  const many = 67
  before(async () => {
    const writer = await makeWriter(admin, { slug: 'prolific' })
    for (let number = 0; number < many; number += 1)
      await makePiece(admin, writer, {
        headline: `Piece ${number}`,
        // Three share each moment.
        publishedAt: new Date(Date.UTC(2025, 0, 1 + Math.floor(number / 3))),
      })
  })

  test('the newest come first, and next_url leads back to the very first piece', async () => {
    const seen: string[] = []
    const addresses = new Set<string>()
    let address: string | undefined = `${base}/author/prolific/feed.json`
    while (address !== undefined) {
      assert.ok(!addresses.has(address), 'a circle')
      addresses.add(address)
      const feed = readJsonFeed((await ask(address.slice(base.length))).body)
      assert.equal(feed.feed_url, `${base}/author/prolific/feed.json`)
      assert.ok(feed.items.length <= 30)
      seen.push(...feed.items.map(({ id }) => id))
      address = feed.next_url
    }
    assert.equal(addresses.size, 3)
    assert.equal(new Set(seen).size, many)
    const dates = (await jsonOf('/author/prolific')).items.map(({ date_published }) => date_published)
    assert.deepEqual(dates, [...dates].sort().reverse())
  })

  test('feed.xml is paged as RFC 5005 has it, over the same pieces', async () => {
    const seen: number[] = []
    const feed = `${base}/author/prolific/feed.xml`
    let address: string | undefined = feed
    while (address !== undefined) {
      const answer = await ask(address.slice(base.length))
      const page = readRss([answer.body])[0]!
      const link = (rel: string) => page.links.find((one) => one.rel === rel)?.href
      assert.equal(link('self'), address)
      assert.equal(link('first'), address === feed ? undefined : feed)
      // The newest page is the one to subscribe to.
      const hub: string = address === feed ? `<${base}/desk/websub>; rel="hub", <${feed}>; rel="self", ` : ''
      assert.equal(link('hub'), address === feed ? `${base}/desk/websub` : undefined)
      assert.equal(answer.headers['link'], link('next') && `${hub}<${link('next')}>; rel="next"`)
      seen.push(page.items.length)
      address = link('next')
    }
    assert.deepEqual(seen, [30, 30, 7])
  })

  test('a cursor that is none is 400 in both formats', async () => {
    for (const ending of ['json', 'xml']) {
      for (const cursor of ['', 'x', 'null', '%22', 'a&cursor=b', 'W10'])
        assert.equal((await ask(`/author/prolific/feed.${ending}?cursor=${cursor}`)).statusCode, 400)
    }
  })
})

test('the language of a feed is that of most of its pieces, and each piece says its own', async () => {
  const writer = await makeWriter(admin, { slug: 'polyglot' })
  const ids = [await makePiece(admin, writer), await makePiece(admin, writer), await makePiece(admin, writer)]
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query("update pub.pieces set locale = 'pt-BR' where id = any($1::uuid[])", [ids.slice(1)])
  })
  const json = await jsonOf('/author/polyglot')
  assert.equal(json.language, 'pt-BR')
  assert.deepEqual(json.items.map(({ language }) => language).sort(), ['en', 'pt-BR', 'pt-BR'])
  const rss = await rssOf('/author/polyglot')
  assert.equal(rss.language, 'pt-BR')
  assert.deepEqual(
    rss.items.map(({ language }) => language),
    json.items.map(({ language }) => language),
  )
})

test('feeds are no part of the OpenAPI document', async () => {
  const { paths } = (await ask('/api/openapi.json')).json()
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.includes('feed')),
    [],
  )
})
