import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { makePagesSite, makePieceInLocale, pathOf, renameAuthor } from '../../testkit/pages-site.ts'

const { admin, url } = await testDatabase()
const site = await makePagesSite(admin)
const app = await testApp(url)
const base = 'https://site.test'

const person = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })
const visit = (path: string) => get(path, person)

/** The text content of an element's markup. */
const words = (markup: string): string =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()

const mainOf = (body: string): string => /<main[^>]*>([\s\S]*)<\/main>/.exec(body)![1]!
const linkedData = (body: string): Record<string, unknown>[] =>
  [...body.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, json]) => JSON.parse(json!))

test('the front page leads with the newest, sets two beside it, shows the rest, and names the day and every category', async () => {
  const { statusCode, headers, body } = await visit('/')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(
    body,
    /<article class="story lead">[\s\S]*<article class="story second">[\s\S]*<article class="story second">/,
  )
  assert.match(body, /<h1><a class="wordmark"[^>]*>Standfirst<\/a><\/h1>/)
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date())
  assert.ok(words(body).includes(today), `no ${today}`)
  for (const category of ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society'])
    assert.ok(body.includes(`href="${base}/category/${category}"`), category)
  const main = mainOf(body)
  const newest = main.indexOf('في مديح البطء')
  const second = main.indexOf('Notes from the garden, number 5')
  const last = main.indexOf('Notes from the garden, number 1<')
  assert.ok(newest > 0 && second > newest && last > second)
})

test('a piece page has its category, headline, standfirst, byline with tick, date, reading time and text', async () => {
  const { statusCode, body } = await visit(site.rich.path)
  assert.equal(statusCode, 200)
  const text = words(mainOf(body))
  for (const part of [
    'Culture',
    'On tea, and the four minutes nobody wants to wait',
    'A kettle taught me more about patience',
    'Ada Okafor',
    '14 March 2026',
    '1 min read',
    'Nobody likes to wait.',
    'The notebooks are in Kolkata',
    'Writer and gardener · Lagos',
    'More from Ada Okafor',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /aria-label="Identity verified"/)
  assert.ok(body.includes(`<a href="${base}/desk/report/${site.rich.id}" rel="nofollow">Report this piece</a>`))
  assert.equal(mainOf(body).match(/<li>\s*<div>\s*<h3 class="title"/g)?.length, 3, 'three further pieces')
  assert.doesNotMatch(body, /First published at/)
})

test('nobody without a verified identity gets a tick', async () => {
  const { body } = await visit(site.arabic.path)
  const { body: ofAuthor } = await visit('/author/noor')
  for (const markup of [body, ofAuthor]) {
    assert.ok(words(mainOf(markup)).includes('نور الهاشمي'))
    const article = /<article[\s\S]*?<\/article>/.exec(markup)?.[0] ?? mainOf(markup)
    assert.doesNotMatch(article, /class="tick"/)
  }
})

test('a piece that was first published elsewhere says where, and that place is its canonical address', async () => {
  const { body, headers } = await visit(site.elsewhere.path)
  assert.ok(words(mainOf(body)).includes('First published at letters.example'))
  const address = 'https://letters.example/2025/every-letter?a=1&b=2'
  assert.ok(body.includes(`<link rel="canonical" href="${address.replace('&', '&amp;')}">`))
  assert.ok(String(headers['link']).startsWith(`<${address}>; rel="canonical"`))
  const twin = await visit(`${site.elsewhere.path}.md`)
  assert.equal(twin.headers['link'], `<${address}>; rel="canonical"`)
})

test('a page says its language and direction, and the words of the site around it stay English', async () => {
  const { body } = await visit(site.arabic.path)
  assert.match(body, /<html lang="ar">/)
  assert.match(body, /<main id="main" tabindex="-1" dir="rtl">/)
  assert.match(body, /<header class="site-header" lang="en">/)
  assert.match(body, /<footer class="colophon" lang="en">/)
  assert.match((await visit(site.rich.path)).body, /<html lang="en">[\s\S]*<main id="main" tabindex="-1" dir="ltr">/)
})

test('a text that runs from right to left does so although its writer left the language as it was', async () => {
  const id = await makePieceInLocale(admin, site.noor, 'en', {
    headline: 'שלום',
    sub: null,
    body_md: 'תה, ארבע דקות. Tea.',
  })
  assert.match((await visit(await pathOf(admin, id))).body, /<main id="main" tabindex="-1" dir="rtl">/)
})

test('a piece page tells search engines and other sites what it is', async () => {
  const { body, headers } = await visit(site.rich.path)
  const address = base + site.rich.path
  assert.ok(body.includes(`<link rel="canonical" href="${address}">`))
  assert.ok(body.includes(`<link rel="alternate" type="text/markdown" href="${address}.md">`))
  assert.match(
    body,
    /<link rel="alternate" type="application\/feed\+json" title="Ada Okafor on Standfirst" href="[^"]+\/feed\.json">/,
  )
  assert.match(
    body,
    /<link rel="alternate" type="application\/rss\+xml" title="Ada Okafor on Standfirst" href="[^"]+\/feed\.xml">/,
  )
  assert.ok(body.includes(`/oembed?url=${encodeURIComponent(address)}">`))
  for (const [property, content] of Object.entries({
    'og:type': 'article',
    'og:title': 'On tea, and the four minutes nobody wants to wait',
    'og:url': address,
    'og:image': `${base}/image/piece/${site.rich.id}.png`,
    'article:published_time': '2026-03-14T09:26:53.000Z',
  }))
    assert.ok(body.includes(`<meta property="${property}" content="${content}">`), property)
  assert.match(body, /<meta name="twitter:card" content="summary_large_image">/)
  const [article, crumbs] = linkedData(body)
  assert.equal(article!['@type'], 'Article')
  assert.equal(article!['@id'], `${base}/p/${site.rich.id}`)
  assert.equal(article!['datePublished'], '2026-03-14T09:26:53.000Z')
  assert.equal(crumbs!['@type'], 'BreadcrumbList')
  const link = String(headers['link'])
  assert.ok(link.includes(`<${address}.md>; rel="alternate"; type="text/markdown"`))
  assert.ok(link.includes(`<${base}/author/ada-okafor/feed.xml>; rel="alternate"; type="application/rss+xml"`))
})

test('an author page has the name, role and place, bio, what was verified, and the pieces by year', async () => {
  const { statusCode, body } = await visit('/author/ada-okafor')
  assert.equal(statusCode, 200)
  const main = mainOf(body)
  const text = words(main)
  for (const part of [
    'Ada Okafor',
    'Writer and gardener · Lagos',
    'far too many kettles',
    'Identity verified by Standfirst',
    'Website verified: ada.example',
    'Newsletter',
    'Follow by email , RSS or JSON Feed',
  ])
    assert.ok(text.includes(part), part)
  const years = [...main.matchAll(/<h2 class="year">(\d{4})<\/h2>/g)].map(([, year]) => year)
  assert.deepEqual(years, ['2026', '2025', '2024'])
  assert.equal((linkedData(body)[0]!['mainEntity'] as { '@type': string })['@type'], 'Person')
})

test('an author page leads back to the very first piece, page by page', async () => {
  const writer = await makeWriter(admin, { name: 'Many Pieces' })
  for (let index = 0; index < 45; index++)
    await makePiece(admin, writer, { headline: `Piece ${index}`, publishedAt: new Date(Date.UTC(2020, 0, 1 + index)) })
  const seen: string[] = []
  let path: string | undefined = `/author/${writer.slug}`
  while (path) {
    const { statusCode, body } = await visit(path)
    assert.equal(statusCode, 200)
    seen.push(...[...mainOf(body).matchAll(/>(Piece \d+)<\/a>/g)].map(([, title]) => title!))
    path = /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, index) => `Piece ${44 - index}`),
  )
})

test('a category page lists its pieces, and there is no page for another word', async () => {
  const { statusCode, body } = await visit('/category/culture')
  assert.equal(statusCode, 200)
  assert.match(body, /<h1 class="title">Culture<\/h1>/)
  assert.ok(body.includes('On tea, and the four minutes'))
  assert.ok(!body.includes('Notes from the garden'))
  assert.equal((await visit('/category/cheese')).statusCode, 404)
})

test('every other address of a page leads to the one it has', async () => {
  const moves: Record<string, string> = {
    [`/p/${site.rich.id}`]: site.rich.path,
    [`/p/${site.rich.id.toUpperCase()}`]: site.rich.path,
    [`${site.rich.path}/`]: site.rich.path,
    [site.rich.path.replace('ada-okafor', 'Ada-Okafor').replace('on-tea', 'On-Tea')]: site.rich.path,
    '/author/ADA-OKAFOR': '/author/ada-okafor',
    '/author/ada-okafor/': '/author/ada-okafor',
    '/category/Culture': '/category/culture',
    '/category/culture/': '/category/culture',
    '/search/?q=tea': '/search?q=tea',
  }
  for (const [from, to] of Object.entries(moves)) {
    const { statusCode, headers } = await visit(from)
    assert.deepEqual([statusCode, headers['location']], [301, base + to], from)
  }
})

test("a renamed author's former address leads to the new one, and so do the addresses of the pieces", async () => {
  const writer = await makeWriter(admin, { slug: 'before', name: 'Re Named' })
  const path = await pathOf(admin, await makePiece(admin, writer, { headline: 'Names' }))
  await renameAuthor(admin, writer, 'after')
  for (const [from, to] of [
    ['/author/before', '/author/after'],
    [path, path.replace('before', 'after')],
  ] as const) {
    const { statusCode, headers } = await visit(from)
    assert.deepEqual([statusCode, headers['location']], [301, base + to])
  }
})

test('no address leads out of the site', async () => {
  for (const path of [
    '//evil.example/',
    '//evil.example/search/',
    '/author//evil.example/',
    '/%2Fevil.example/',
    '/author/%2F%2Fevil.example/',
  ])
    for (const { headers } of [await visit(path)])
      assert.ok(
        !headers['location'] || String(headers['location']).startsWith(`${base}/`),
        `${path} -> ${headers['location']}`,
      )
})

test('an unpublished piece has no page any more', async () => {
  const writer = await makeWriter(admin)
  const id = await makePiece(admin, writer, { headline: 'Gone soon' })
  const path = await pathOf(admin, id)
  assert.equal((await visit(path)).statusCode, 200)
  await unpublish(admin, writer, id)
  assert.equal((await visit(path)).statusCode, 404)
  assert.equal((await visit(`/p/${id}`)).statusCode, 404)
  assert.ok(!(await visit('/')).body.includes('Gone soon'))
})

test('the headline is the only heading of its rank, though the text has one too', async () => {
  const writer = await makeWriter(admin)
  const id = await makePiece(admin, writer, {
    headline: 'On top',
    body_md: '# First\n\ntext\n\n## Second\n\ntext',
  })
  const { body } = await visit(await pathOf(admin, id))
  const ranks = [...mainOf(body).matchAll(/<h(\d)[^>]*>(On top|First|Second)</g)].map(
    ([, rank, text]) => `${rank} ${text}`,
  )
  assert.deepEqual(ranks, ['1 On top', '2 First', '3 Second'])
})

test('a language that is none is said to be unknown', async () => {
  const writer = await makeWriter(admin)
  const id = await makePieceInLocale(admin, writer, 'Plain English (UK)', {
    headline: 'In a tongue',
    sub: null,
    body_md: 'Words.',
  })
  const { body } = await visit(await pathOf(admin, id))
  assert.match(body, /^<!doctype html>\n<html lang="und"/)
})
