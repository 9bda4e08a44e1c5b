import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { categories } from '../../server/features/pieces/schema.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { addPastReads, scoreNow } from '../../testkit/read-counts.ts'

/** `/writers`, `/trending`, `/archive`, the sections in every header, and what is offered for a missing piece. */

const { admin, app, url } = await testSite()
const base = 'https://site.test'
const get = (path: string, accept = 'text/html') => app.inject({ url: path, headers: { accept } })
const titlesIn = (body: string): string[] =>
  [...body.matchAll(/<h[23] class="title"[^>]*><a href="[^"]+\/author\/[^"]+">(?:<bdi>)?([^<]+)</g)].map(
    ([, of]) => of!,
  )
const nextIn = (body: string): string | undefined =>
  /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&amp;', '&')

describe('/writers', () => {
  const names = ['Zoë', 'adam', 'Ådne', 'Émile', 'Éva', 'Ben', 'Łukasz', 'Яна', 'Ада', '陳', '3 Sisters', 'bea']
  const sorted = ['3 Sisters', 'adam', 'Ådne', 'bea', 'Ben', 'Émile', 'Éva', 'Łukasz', 'Zoë', 'Ада', 'Яна', '陳']

  before(async () => {
    for (const [at, name] of names.entries()) {
      const role = name === 'Ben' ? 'Essayist' : null
      const writer = await makeWriter(admin, { slug: `writer-${at}`, name, role, verified: name === 'Ben' })
      await makePiece(admin, writer, { headline: `By ${name}`, publishedAt: new Date(Date.UTC(2026, 0, 1 + at)) })
    }
    const silent = await makeWriter(admin, { slug: 'silent', name: 'Silent' })
    await unpublish(admin, silent, await makePiece(admin, silent, { headline: 'Gone' }))
  })

  test('has everyone with public pieces, sorted as people sort, with role and number of pieces', async () => {
    const { headers, body } = await get('/writers')
    assert.deepEqual(titlesIn(body), sorted)
    assert.equal(headers['surrogate-key'], 'authors pieces')
    assert.match(
      body,
      /Ben<\/bdi><\/a><svg class="tick"[\s\S]*?<bdi>Essayist<\/bdi><span class="dot"><bdi>1 piece<\/bdi>/,
    )
    assert.ok(body.includes(`<link rel="canonical" href="${base}/writers">`))
    assert.doesNotMatch(body, /class="sections initials"|New writers/)
  })

  test('of more than a page goes on by cursor, has initials to begin at, and names the newest', async () => {
    for (let at = 0; at < 45; at += 1) {
      const writer = await makeWriter(admin, { slug: `more-${at}`, name: `Mo ${String(at).padStart(2, '0')}` })
      await makePiece(admin, writer, { headline: `More ${at}` })
    }
    await admin.query("update app.writers set joined_at = '2026-02-02' where slug = 'more-7'")
    const { body } = await get('/writers')
    const initials = [.../<nav class="sections initials".*?<\/nav>/s.exec(body)![0].matchAll(/<bdi>(.)<\/bdi>/gu)]
    assert.deepEqual(
      initials.map(([, initial]) => initial),
      ['A', 'B', 'E', 'Ł', 'M', 'Z', 'А', 'Я', '陳'],
    )
    assert.match(body, /<h2 class="label" id="new">New writers<\/h2>/)
    const all = body.slice(body.indexOf('id="all"'))
    const more = await get(nextIn(body)!)
    const expected = sorted.toSpliced(
      8,
      0,
      ...Array.from({ length: 45 }, (_, at) => `Mo ${String(at).padStart(2, '0')}`),
    )
    assert.deepEqual([...titlesIn(all), ...titlesIn(more.body)], expected)
    assert.match(more.body, /<meta name="robots" content="noindex, follow">/)
    assert.deepEqual(titlesIn((await get('/writers?from=E')).body).slice(0, 3), ['Émile', 'Éva', 'Łukasz'])
    assert.deepEqual(titlesIn((await get(`/writers?from=${encodeURIComponent('Я')}`)).body), ['Яна', '陳'])
    assert.deepEqual(titlesIn((await get('/writers?from=%00')).body).length, 50)
    assert.equal((await get('/writers?cursor=wrong')).statusCode, 400)
  })
})

describe('/trending', () => {
  before(async () => {
    const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
    for (const [headline, reads, hours, locale] of [
      ['Today', 5, 2, 'en'],
      ['This week', 90, 60, 'de'],
      ['This month', 900, 400, 'en'],
    ] as const) {
      const id = await makePiece(admin, ada, { headline, locale, publishedAt: new Date('2026-01-01') })
      await addPastReads(admin, id, reads, hours)
    }
    await scoreNow(admin)
  })

  test('has the most read of a day, a week and a month, the week first', async () => {
    for (const [query, titles] of [
      ['?window=24h', ['Today']],
      ['', ['This week', 'Today']],
      ['?window=30d', ['This month', 'This week', 'Today']],
      ['?language=de', ['This week']],
    ] as const) {
      const { headers, body } = await get(`/trending${query}`)
      assert.deepEqual(titlesIn(body), titles, query)
      assert.equal(headers['surrogate-key'], 'pieces')
      assert.ok(body.includes(`<link rel="canonical" href="${base}/trending${query}">`), query)
    }
    const { body } = await get('/trending')
    assert.ok(body.includes(`<li><a href="${base}/trending" aria-current="page">7 days</a></li>`))
    assert.equal((await get('/trending?window=1y')).statusCode, 400)
  })

  test('has feeds with the most read of the week, whole, which change with their order', async () => {
    const titles = async (path: string) =>
      (await app.inject(path)).json().items.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles('/trending/feed.json'), ['This week', 'Today'])
    assert.deepEqual(await titles('/trending/feed.json?language=de'), ['This week'])
    const { body } = await app.inject('/trending/feed.xml')
    assert.equal(body.match(/<content:encoded>/g)?.length, 2)
    const { rows } = await admin.query("select id from pub.pieces where headline = 'Today'")
    await addPastReads(admin, rows[0].id, 500, 3)
    await scoreNow(admin)
    assert.deepEqual(await titles('/trending/feed.json'), ['Today', 'This week'])
    assert.ok((await get('/trending')).body.includes(`href="${base}/trending/feed.xml">RSS</a>`))
  })
})

describe('/archive', () => {
  before(async () => {
    const old = await makeWriter(admin, { slug: 'old', name: 'Old' })
    for (let at = 0; at < 60; at += 1)
      await makePiece(admin, old, { headline: `Of March ${at}`, publishedAt: new Date(Date.UTC(2021, 2, 1, at)) })
    await makePiece(admin, old, { headline: 'Last of February', publishedAt: new Date('2021-02-28T23:59:59.999Z') })
    await makePiece(admin, old, { headline: 'Of June', publishedAt: new Date('2021-06-15') })
  })

  test('has the months with pieces, newest first, with their counts', async () => {
    const { body } = await get('/archive')
    const months = [...body.matchAll(/\/archive\/(2021\/\d\d)">([^<]+)<\/a> <span class="meta">([^<]+)</g)]
    assert.deepEqual(
      months.map(([, ...of]) => of.join(' ')),
      ['2021/06 June 1 piece', '2021/03 March 60 pieces', '2021/02 February 1 piece'],
    )
    assert.match(body, /<h2 class="year">2026<\/h2>[\s\S]*<h2 class="year">2021<\/h2>/)
  })

  test('of a month has its pieces and no others, and leads to the months around it', async () => {
    const { headers, body } = await get('/archive/2021/03')
    assert.equal(headers['surrogate-key'], 'pieces')
    assert.match(body, /<h1 class="title">March 2021<\/h1>/)
    assert.match(body, /archive\/2021\/02">February 2021<\/a>[\s\S]*archive\/2021\/06">June 2021<\/a>/)
    const rest = await get(nextIn(body)!)
    const titles = [...titlesIn(body), ...titlesIn(rest.body)]
    assert.deepEqual(
      titles,
      Array.from({ length: 60 }, (_, at) => `Of March ${59 - at}`),
    )
    assert.equal(nextIn(rest.body), undefined)
    assert.deepEqual(titlesIn((await get('/archive/2021/02')).body), ['Last of February'])
    assert.ok((await get('/archive/2021/02/')).headers['location']?.endsWith('/archive/2021/02'))
  })

  test('without pieces, or that no month is called by, is not there', async () => {
    for (const month of ['2021/04', '2021/13', '2021/3', '0000/00', 'x/y', '9999/12', '20210/1'])
      assert.equal((await get(`/archive/${month}`)).statusCode, 404, month)
  })

  test('is in the sitemap', async () => {
    const fresh = await testApp(url)
    assert.ok((await fresh.inject('/sitemap-archive.xml')).body.includes(`<loc>${base}/archive/2021/03</loc>`))
    const pages = (await fresh.inject('/sitemap-pages.xml')).body
    for (const path of ['topics', 'writers', 'trending', 'archive'])
      assert.ok(pages.includes(`<loc>${base}/${path}</loc>`))
  })
})

test('every page has the sections in its header, and a section marks itself', async () => {
  const header = async (path: string) => /<header.*?<\/header>/s.exec((await get(path)).body)![0]
  for (const path of ['/', '/about', '/author/old', '/author/old/of-june', '/search', '/shop', '/nothing']) {
    const shown = await header(path)
    for (const category of categories) assert.ok(shown.includes(`<li><a href="${base}/category/${category}">`), path)
  }
  const life = await header('/category/life')
  assert.ok(life.includes(`<a href="${base}/category/life" aria-current="page">Life</a>`))
  assert.equal(life.match(/aria-current/g)?.length, 1)
})

describe('at the address of a piece that is not there', () => {
  test('people are offered its author and their newest pieces', async () => {
    const { statusCode, headers, body } = await get('/author/old/never-written')
    assert.equal(statusCode, 404)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    assert.match(body, /<h1 class="title">Page not found<\/h1>/)
    assert.ok(body.includes(`More from <a href="${base}/author/old" rel="author"><bdi>Old</bdi></a>`))
    assert.deepEqual(titlesIn(body), ['Of June', 'Of March 59', 'Of March 58', 'Of March 57', 'Of March 56'])
  })

  test('programs get the error, and so does everyone where there is no author', async () => {
    const { statusCode, body } = await get('/author/old/never-written', 'application/json')
    assert.deepEqual([statusCode, JSON.parse(body).reason], [404, 'not_found'])
    const nobody = await get('/author/no-such-author/never-written')
    assert.equal(nobody.statusCode, 404)
    assert.doesNotMatch(nobody.body, /More from/)
  })
})
