import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statements as languageStatements } from '../../server/features/pieces/languages.ts'
import { type Filter, newest, statements } from '../../server/features/pieces/list-queries.ts'
import { statements as trendingStatements } from '../../server/features/trending/reads.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { addPastReads, scoreNow } from '../../testkit/read-counts.ts'
import { addCorpus, makePieces } from '../../testkit/search.ts'

/** `language` of lists, search, feeds and pages, an extension of the specification. */

const { admin, app, ask } = await testSite()
const base = 'https://site.test'
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const ben = await makeWriter(admin, { slug: 'ben', name: 'Ben' })

const given = [
  ['Tee am Morgen', 'de', 'life', ada],
  ['Tee am Abend', 'de-AT', 'money', ada],
  ['Der dritte Tee', 'DE_de', 'life', ben],
  ['Chá da manhã', 'pt-BR', 'life', ada],
  ['Chá da noite', 'pt', 'life', ben],
  ['תה', 'iw', 'life', ada],
  ['Morning tea', 'en', 'life', ada],
  ['Evening tea', 'en-GB', 'money', ben],
  ['Whatever tea', 'not a language', 'life', ben],
  ['Made up', 'zzzzz', 'life', ben],
] as const

before(async () => {
  for (const [day, [headline, locale, category, writer]] of given.entries()) {
    const publishedAt = new Date(Date.UTC(2026, 0, 1 + day))
    const id = await makePiece(admin, writer, { headline, locale, category, body_md: 'With tea.', publishedAt })
    if (day < 4) await addPastReads(admin, id, 10 + day, 1)
  }
  await scoreNow(admin)
})

interface Item {
  readonly title: string
  readonly language: string
}
interface Page {
  readonly items?: readonly Item[]
  readonly results?: readonly Item[]
  readonly next_cursor: string | null
}
const page = async (address: string) => (await ask(address)).json<Page>()
const titles = async (address: string) => {
  const { items, results } = await page(address)
  return (items ?? results ?? []).map(({ title }) => title)
}

/** Newest first, by whether the locale begins so. */
const expected = (test: RegExp, only: (one: (typeof given)[number]) => boolean = () => true): string[] =>
  given
    .filter((one) => test.test(one[1]) && only(one))
    .map(([headline]) => headline)
    .reverse()
const german = /^de/i

const api = '/api/public/pieces'

describe('language', () => {
  test('keeps to pieces in one language, whatever their region', async () => {
    for (const asked of ['de', 'de-AT', 'DE', 'de_CH', 'deu'])
      assert.deepEqual(await titles(`${api}/recent?language=${asked}`), expected(german), asked)
    for (const asked of ['pt', 'pt-BR'])
      assert.deepEqual(await titles(`${api}/recent?language=${asked}`), expected(/^pt/), asked)
  })

  test('knows former codes, in what is asked and in what was sent', async () => {
    for (const asked of ['he', 'iw']) assert.deepEqual(await titles(`${api}/recent?language=${asked}`), ['תה'], asked)
  })

  test('und has what is in no known language, and one that nobody wrote in is an empty list', async () => {
    assert.deepEqual(await titles(`${api}/recent?language=und`), ['Whatever tea'])
    assert.deepEqual(await titles(`${api}/recent?language=ja`), [])
  })

  test('goes with a category and with an author', async () => {
    const recent = `${api}/recent?language=de`
    assert.deepEqual(
      await titles(`${recent}&category=life`),
      expected(german, (one) => one[2] === 'life'),
    )
    assert.deepEqual(
      await titles(`${recent}&author=ada`),
      expected(german, (one) => one[3] === ada),
    )
    assert.deepEqual(await titles(`${recent}&author=ada&category=life`), ['Tee am Morgen'])
  })

  test('keeps to the trending pieces of that language, with ranks of their own', async () => {
    assert.deepEqual(await titles(`${api}/trending?language=de-CH`), [
      'Der dritte Tee',
      'Tee am Abend',
      'Tee am Morgen',
    ])
    assert.deepEqual(await titles(`${api}/trending?language=de&category=life`), ['Der dritte Tee', 'Tee am Morgen'])
    const { items } = (await ask(`${api}/trending?language=de`)).json()
    assert.deepEqual(
      items.map(({ rank }: { rank: number }) => rank),
      [1, 2, 3],
    )
  })

  test('limits a search', async () => {
    assert.deepEqual(await titles(`${api}/search?q=tee&language=de`), expected(german))
    assert.deepEqual(await titles(`${api}/search?q=tea&language=pt`), expected(/^pt/))
    assert.deepEqual(await titles(`${api}/search?q=tea&language=en&category=money`), ['Evening tea'])
  })

  for (const list of ['recent?', 'trending?', 'search?q=tea&']) {
    test(`goes from page to page of ${list} by cursor and by Link, and stays in the language`, async () => {
      const whole = await titles(`${api}/${list}language=de`)
      const seen: string[] = []
      let address: string | undefined = `${api}/${list}language=de-AT&limit=1`
      while (address) {
        const answer = await ask(address)
        const { items, results } = answer.json<Page>()
        seen.push(...(items ?? results ?? []).map(({ title }) => title))
        address = /^<https:\/\/site\.test([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
      }
      assert.equal(whole.length, 3)
      assert.deepEqual(seen, whole)
    })

    for (const wrong of ['german!', 'x', 'de-', '', 'en-GB-oed', 'a'.repeat(99)]) {
      test(`of ${list} that is "${wrong.slice(0, 10)}" is 400, and says what a tag is`, async () => {
        const answer = await ask(`${api}/${list}language=${wrong}`)
        const { errors } = answer.json()
        assert.deepEqual([answer.statusCode, errors[0].pointer, errors[0].code], [400, '/language', 'malformed'])
        assert.equal(errors[0].detail, 'must be a language tag (BCP 47), such as en, de or pt-BR')
      })
    }
  }

  test('given twice is 400', async () => {
    const { errors } = (await ask(`${api}/recent?language=de&language=en`)).json()
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/language', 'repeated'])
  })

  test('is cached and purged as the list of all languages is', async () => {
    const { headers } = await ask(`${api}/recent?language=de`)
    assert.equal(headers['surrogate-key'], 'pieces')
    const again = await ask({ url: `${api}/recent?language=de`, headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal(again.statusCode, 304)
  })
})

describe('a feed in one language', () => {
  test('has its pieces, its own title and its own addresses', async () => {
    for (const [path, title, count] of [
      ['/feed', ' · Deutsch', 3],
      ['/category/life/feed', ' · Deutsch', 2],
      ['/author/ada/feed', 'Ada · Deutsch', 2],
    ] as const) {
      const json = (await ask(`${path}.json?language=de-AT`)).json()
      assert.ok(json.title.endsWith(title), json.title)
      assert.deepEqual([json.language, json.items.length], ['de', count])
      assert.equal(json.feed_url, `${base}${path}.json?language=de`)
      assert.ok(json.home_page_url.endsWith('?language=de'))
      const rss = await ask(`${path}.xml?language=de`)
      assert.ok(
        rss.body.includes(`rel="self" type="application/rss+xml" href="${base}${path}.xml?language=de"`),
        rss.body,
      )
      assert.ok(rss.body.includes('<language>de</language>'))
      assert.equal(rss.body.match(/<item>/g)?.length, count)
    }
  })

  test('is not the feed of another language or of all, whichever is asked for first', async () => {
    for (let times = 0; times < 2; times += 1)
      for (const [query, count] of [
        ['?language=pt', 2],
        ['', given.length],
        ['?language=de', 3],
      ] as const)
        assert.equal((await ask(`/feed.json${query}`)).json().items.length, count, query)
  })

  test('may be empty, names its language, and refuses what is not one', async () => {
    const empty = (await ask('/feed.json?language=ja')).json()
    assert.deepEqual([empty.language, empty.items], ['ja', []])
    assert.equal((await ask('/feed.xml?language=german!')).statusCode, 400)
  })

  test('leads on to its older pieces in the same language', async () => {
    const many = await makeWriter(admin, { slug: 'many' })
    for (let at = 0; at < 31; at += 1) {
      const publishedAt = new Date(Date.UTC(2025, 0, 1, at))
      await makePiece(admin, many, { headline: `Nummer ${at}`, locale: 'nl', publishedAt })
      await makePiece(admin, many, { headline: `Number ${at}`, publishedAt })
    }
    const { next_url } = (await ask('/author/many/feed.json?language=nl')).json()
    assert.match(next_url, /^https:\/\/site\.test\/author\/many\/feed\.json\?language=nl&cursor=[\w-]+$/)
    const next = await ask(next_url.replace(base, ''))
    assert.deepEqual(
      next.json().items.map(({ title }: Item) => title),
      ['Nummer 0'],
    )
    const rss = (await ask('/author/many/feed.xml?language=nl')).body
    assert.match(rss, /rel="next" type="application\/rss\+xml" href="[^"]+\?language=nl&amp;cursor=/)
  })
})

describe('a page', () => {
  const get = async (path: string) => (await app.inject({ url: path, headers: { accept: 'text/html' } })).body
  const linksIn = (body: string) => /<nav class="sections languages".*?<\/nav>/s.exec(body)?.[0]

  test('links to its languages by their own names, and to all of them', async () => {
    const links = linksIn(await get('/'))!
    assert.ok(links.includes(`<a href="${base}/" aria-current="page">All languages</a>`))
    assert.ok(links.includes(`<a href="${base}/?language=de"><bdi lang="de">Deutsch</bdi></a>`))
    assert.ok(links.includes(`<a href="${base}/?language=he"><bdi lang="he">עברית</bdi></a>`))
    assert.ok(links.includes(`<a href="${base}/?language=en"><bdi>English</bdi></a>`))
    assert.doesNotMatch(links, /und|zzzzz/)
  })

  test('of a section or an author has the languages that these have', async () => {
    const money = linksIn(await get('/category/money'))!
    assert.deepEqual(
      [...money.matchAll(/language=(\w+)/g)].map(([, language]) => language),
      ['de', 'en'],
    )
    const hers = linksIn(await get('/author/ada'))!
    assert.deepEqual(
      [...hers.matchAll(/language=(\w+)/g)].map(([, language]) => language),
      ['de', 'en', 'pt', 'he'],
    )
    const plain = await makeWriter(admin, { slug: 'plain' })
    await makePiece(admin, plain, { headline: 'One', locale: 'en' })
    await makePiece(admin, plain, { headline: 'Two', locale: 'en-GB' })
    assert.equal(linksIn(await get('/author/plain')), undefined)
  })

  for (const [path, titles] of [
    ['/', ['Der dritte Tee', 'Tee am Abend', 'Tee am Morgen']],
    ['/category/life', ['Der dritte Tee', 'Tee am Morgen']],
    ['/author/ada', ['Tee am Abend', 'Tee am Morgen']],
  ] as const) {
    test(`${path} in one language has its pieces, its feeds and an address of its own`, async () => {
      const body = await get(`${path}?language=de-CH`)
      const [list] = body.split('<section class="most-read"')
      const shown = [...list!.matchAll(/<a href="[^"]+\/author\/[^"]+">([^<]+)<\/a><\/h[23]>/g)].map(
        ([, title]) => title,
      )
      assert.deepEqual(shown, titles)
      assert.ok(body.includes(`<link rel="canonical" href="${base}${path}?language=de">`))
      assert.match(body, /<title>[^<]*Deutsch/)
      assert.match(
        body,
        /rel="alternate" type="application\/feed\+json" title="[^"]*Deutsch" href="[^"]+feed\.json\?language=de"/,
      )
      const links = linksIn(body)!
      assert.ok(links.includes(`<a href="${base}${path}">All languages</a>`))
      assert.match(links, /language=de" aria-current="page"/)
    })

    test(`${path} refuses what is not a language`, async () => {
      assert.equal((await app.inject(`${path}?language=german!`)).statusCode, 400)
    })
  }

  test('leads on to older pieces in the same language', async () => {
    const many = await makeWriter(admin, { slug: 'more' })
    for (let at = 0; at < 41; at += 1) {
      const publishedAt = new Date(Date.UTC(2024, 0, 1, at))
      await makePiece(admin, many, { headline: `Numero ${at}`, locale: 'it', category: 'ideas', publishedAt })
      await makePiece(admin, many, { headline: `Number ${at}`, category: 'ideas', publishedAt })
    }
    for (const path of ['/', '/category/ideas', '/author/more']) {
      const first = await get(`${path}?language=it`)
      const next = /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(first)![1]!.replaceAll('&amp;', '&')
      assert.match(next, /[?&]language=it&/)
      const second = await get(next)
      assert.match(second, /Numero 0</)
      assert.doesNotMatch(second, /Number \d/)
    }
    const markdown = await app.inject('/author/more.md?language=it')
    assert.match(markdown.body, /Numero 40/)
    assert.doesNotMatch(markdown.body, /Number 40/)
  })

  test('of search offers the languages, keeps the one chosen, and finds in it', async () => {
    const all = await get('/search?q=tea&language=')
    assert.match(all, /<option value="">All languages<\/option>/)
    assert.match(all, /<option value="de" lang="de">Deutsch<\/option>/)
    assert.match(all, /Evening/)
    const chosen = await get('/search?q=tea&language=pt-BR')
    assert.match(chosen, /<option value="pt" lang="pt" selected>Português<\/option>/)
    assert.doesNotMatch(chosen, /Evening/)
    const more = await get('/search?q=number&language=it')
    assert.match(more, /<option value="it" lang="it" selected>/)
    const next = /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(await get('/search?q=nume&language=it'))![1]!
    assert.match(next, /language=it/)
    assert.equal((await app.inject('/search?q=tea&language=german!')).statusCode, 400)
  })
})

test('a list of a rare language reads what it shows and nothing else, and so does the list of languages', async () => {
  const common = makePieces(2_000, 9).map((piece, at) => ({
    ...piece,
    locale: at % 2 ? 'fr' : 'fr-CA',
    hour: 9_000 + at,
  }))
  const rare = makePieces(3, 9).map((piece, at) => ({ ...piece, category: 'life', locale: 'is', hour: at }))
  const loading = await admin.connect()
  await addCorpus(loading, [...common, ...rare], 4).finally(() => loading.release())
  await admin.query('analyze pub.pieces, pub.piece_contents, pub.authors')
  await scoreNow(admin)
  const authorId = ada.id
  const params = { ...newest, limit: 21, category: 'life', language: 'is', authorId, max: 200 } as const
  const { languages, languagesOfCategory, localesOfAuthor } = languageStatements
  const lists = (filter: Filter) => [
    statements.recentPages(filter),
    statements.wholePages(filter),
    statements.editionPages(filter),
  ]
  const small = [
    ...lists({ language: 'is' }),
    ...lists({ language: 'is', category: 'life' }),
    languages,
    languagesOfCategory,
  ] as const
  for (const { name, text, values } of small) {
    const plan = await explained(text, values(params) as unknown[])
    assert.doesNotMatch(plan, /Seq Scan on pub\.pieces|Seq Scan on pieces/, name)
    assert.match(plan, /pieces_by_(category_and_)?language/, name)
    assert.doesNotMatch(plan, /Rows Removed by Filter: (?![01]$)/m, name)
  }
  for (const filter of [
    { authorId, language: 'is' },
    { authorId, language: 'is', category: 'life' },
  ] as const)
    for (const { name, text, values } of lists(filter))
      assert.match(await explained(text, values(params)), /Index Cond: \(+author_id = /, name)
  assert.match(await explained(localesOfAuthor.text, localesOfAuthor.values(params)), /Index Cond: \(+author_id = /)
  const { trendingPageOfLanguage, trendingPageOfCategoryAndLanguage } = trendingStatements
  for (const { name, text, values } of [trendingPageOfLanguage, trendingPageOfCategoryAndLanguage]) {
    const plan = await explained(text, values({ ...params, window: '7d', after: 0 }))
    assert.doesNotMatch(plan, /Sort Key: .*published_at/, name)
  }
})

/** By the plan for any parameters, which connections keep, and by the one for these. */
async function explained(text: string, values: unknown[]): Promise<string> {
  const client = await admin.connect()
  const given = values.map((value) => client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)))
  try {
    const plans: string[] = []
    await client.query(`prepare asked as ${text}`)
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { rows } = await client.query(`explain (analyze, costs off, timing off) execute asked (${given.join()})`)
      plans.push(...rows.map((row) => row['QUERY PLAN']))
    }
    return plans.join('\n')
  } finally {
    await client.query('deallocate asked; reset plan_cache_mode')
    client.release()
  }
}
