import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { StandfirstError, standfirst } from '@standfirst/sdk'
import { testApp } from '../../testkit/app.ts'
import { makePiece, makeProduct } from '../../testkit/factories.ts'
import { addPastReads, scoreNow } from '../../testkit/read-counts.ts'
import { sdkSite } from './site.ts'

/** The package's client against a real site: what everybody may read. */

const { databaseUrl, admin, writer, base, site, asked, rest } = await sdkSite()
const ids: string[] = []
const sold: string[] = []

before(async () => {
  for (let day = 1; day <= 23; day += 1) {
    const [headline, category] = [`Tea & 100% patience, ${day}`, day % 2 ? 'life' : 'money']
    ids.push(await makePiece(admin, writer, { headline, category, publishedAt: new Date(Date.UTC(2026, 0, day)) }))
    if (day <= 5) await addPastReads(admin, ids.at(-1)!, day, 1)
    if (day <= 5) sold.push(await makeProduct(admin, writer, { name: `A notebook for tea, ${day}` }))
  }
  await scoreNow(admin)
})

const all = async <Item>(list: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

describe('every call answers what REST answers', () => {
  const reads = '/api/public'
  test('of authors', async () => {
    assert.deepEqual({ ok: true, author: await site.authors.get('ada') }, await rest(`${reads}/authors/ada`))
    assert.deepEqual(await site.authors.search('ada').page(), await rest(`${reads}/authors/search?q=ada`))
  })

  test('of pieces', async () => {
    const [id] = ids
    assert.deepEqual({ ok: true, piece: await site.pieces.get(id!) }, await rest(`${reads}/pieces/${id}`))
    const recent = await site.pieces.recent({ category: 'money', limit: 3 }).page()
    assert.deepEqual(recent, await rest(`${reads}/pieces/recent?category=money&limit=3`))
    assert.equal(recent.items.length, 3)
    const hers = await site.pieces.recent({ author: 'ada', limit: 3 }).page()
    assert.deepEqual(hers, await rest(`${reads}/pieces/recent?author=ada&limit=3`))
    assert.equal(hers.items.length, 3)
    const found = await site.pieces.search('100% pat', { limit: 2 }).page()
    assert.deepEqual(found, await rest(`${reads}/pieces/search?q=100%25%20pat&limit=2`))
    assert.equal(found.results[0]!.match_site, 'headline')
    const trending = await site.pieces.trending({ window: '24h' }).page()
    assert.deepEqual(trending, await rest(`${reads}/pieces/trending?window=24h`))
    assert.equal(trending.items.length, 5)
  })

  test('of products', async () => {
    const [id] = sold
    assert.deepEqual({ ok: true, product: await site.products.get(id!) }, await rest(`${reads}/products/${id}`))
    assert.deepEqual(await site.products.recent({ limit: 2 }).page(), await rest(`${reads}/products/search?limit=2`))
    const found = await site.products.search('for tea, 3', { seller: 'ada' }).page()
    assert.deepEqual(found, await rest(`${reads}/products/search?q=for+tea%2C+3&seller=ada`))
    assert.equal(found.count, 1)
  })

  test('and there is one for each public address of the description', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
    const shapeOf = (path: string) => path.replace(/[0-9a-f-]{36}$|(?<=authors\/)ada$/, '{}').replace(/\{\w+\}/, '{}')
    const lines = Object.keys(paths).filter((path) => path.startsWith(reads))
    const made = new Set(asked.map(({ line }) => shapeOf(line.split(/[ ?]/)[1]!)))
    assert.deepEqual([...made].sort(), lines.map(shapeOf).sort())
  })

  test('and none sends the key, or a header that makes a browser ask first', () => {
    for (const { line, headers } of asked) assert.deepEqual([...headers.keys()], ['accept'], line)
  })
})

describe('a list', () => {
  test('is iterated over all its pages, without doubles and in order', async () => {
    asked.length = 0
    const titles = (await all(site.pieces.recent({ limit: 5 }))).map(({ title }) => title)
    assert.deepEqual(
      titles,
      ids.map((_, at) => `Tea & 100% patience, ${23 - at}`),
    )
    assert.equal(asked.length, 5)
    const urls = (await all(site.pieces.search('patience', { limit: 4 }))).map(({ url }) => url)
    assert.deepEqual([urls.length, new Set(urls).size], [23, 23])
    assert.equal((await all(site.products.recent({ limit: 2 }))).length, 5)
    assert.equal((await all(site.pieces.trending({ limit: 2 }))).at(-1)!.rank, 5)
  })

  test('asks for nothing before it is wanted, and for no page more than is wanted', async () => {
    asked.length = 0
    const list = site.pieces.recent({ limit: 5 })
    assert.equal(asked.length, 0)
    for await (const _ of list) break
    assert.equal(asked.length, 1)
    assert.equal((await list.take(6)).length, 6)
    assert.equal(asked.length, 3)
    assert.equal((await list.take(5)).length, 5)
    assert.equal(asked.length, 4)
    assert.deepEqual(await list.take(0), [])
    assert.equal(asked.length, 4)
    assert.equal((await list.take(1000)).length, 23)
  })

  test('can be gone through by page, and from any place on', async () => {
    const list = site.pieces.recent({ limit: 10 })
    const counts = (await all(list.pages())).map(({ count }) => count)
    assert.deepEqual(counts, [10, 10, 3])
    const first = await list.page(null)
    const second = await list.page(first.next_cursor)
    const rest = site.pieces.recent({ limit: 10, cursor: first.next_cursor! })
    assert.deepEqual(await rest.page(), second)
    assert.equal((await all(rest)).length, 13)
  })

  test('that a search could not finish ends, and its pages say so', async () => {
    const hurried = await testApp(databaseUrl, { SEARCH_BUDGET: '0' })
    const { pieces } = standfirst({ base: await hurried.listen({ host: '127.0.0.1', port: 0 }) })
    const [page, ...others] = await all(pieces.search('patience').pages())
    assert.deepEqual([page!.partial, others], [true, []])
    assert.match(page!.advice!, /longer terms/)
  })

  test('of nothing is empty', async () => {
    assert.deepEqual(await all(site.pieces.search('coffee')), [])
  })
})

describe('one thing', () => {
  test('is found by the id it has in a list', async () => {
    const [newest] = await site.pieces.recent().take(1)
    assert.match(newest!.id, /^https:\/\/site\.test\/p\//)
    assert.equal((await site.pieces.get(newest!.id)).title, newest!.title)
    assert.equal((await site.pieces.get(ids.at(-1)!.toUpperCase())).title, newest!.title)
  })

  test('that is not there is an error with the words of the site', async () => {
    const { request_id: _, ...problem } = (await rest(`/api/public/authors/nobody`)) as { request_id?: string }
    const error = await site.authors.get('nobody').catch((error) => error)
    assert.ok(error instanceof StandfirstError && error instanceof Error)
    const { status, reason, detail, message, errors, retryAfter } = error
    assert.deepEqual({ ok: false, reason, detail }, problem)
    assert.deepEqual([status, message, errors, retryAfter], [404, detail, [], null])
    await assert.rejects(site.pieces.get(randomUUID()), { status: 404, reason: 'not_found' })
  })

  test('by a name that leads elsewhere is not asked for', async () => {
    asked.length = 0
    for (const name of ['', '.', '..']) await assert.rejects(site.authors.get(name), { reason: 'not_found' })
    for (const name of ['recent', '../authors/ada', '', `${ids[0]}/../recent`, `x${ids[0]}`]) {
      await assert.rejects(site.pieces.get(name), { status: 404, reason: 'not_found' }, name)
      await assert.rejects(site.products.get(name), { status: 404, reason: 'not_found' }, name)
      await assert.rejects(site.drafts.get(name), { status: 404, reason: 'not_found' }, name)
    }
    assert.equal(asked.length, 0)
    await assert.rejects(site.authors.get('../pieces/recent?limit=1#'), { status: 404, reason: 'not_found' })
    assert.equal(asked[0]!.line, 'GET /api/public/authors/..%2Fpieces%2Frecent%3Flimit%3D1%23')
  })
})

describe('what is wrong', () => {
  test('with a parameter is told by field', async () => {
    const list = site.pieces.recent({ limit: 500 })
    await assert.rejects(list.page(), {
      status: 400,
      reason: 'validation_failed',
      errors: [
        {
          pointer: '/limit',
          code: 'out_of_range',
          detail: 'must be a whole number from 1 to 100',
          limit: 100,
          actual: 500,
        },
      ],
    })
    await assert.rejects(all(list), { reason: 'validation_failed' })
    await assert.rejects(site.pieces.search('').take(1), { reason: 'validation_failed' })
  })

  test('with an option is a TypeError that shows no key', () => {
    assert.throws(() => standfirst({ base: 'site.test' }), /TypeError: base is the address/)
    assert.throws(
      () => standfirst({ base: 'https://me:secret@site.test' }),
      /^TypeError: base is an address without a name/,
    )
    assert.throws(() => standfirst({ base: 'ftp://site.test' }), /TypeError: base is an address with http/)
    for (const key of ['', 'pk_live_secret\n', '"pk_live_secret"\t', 'pk_live_sécret']) {
      assert.throws(
        () => standfirst({ base, key }),
        (error: Error) => error instanceof TypeError && !/secret|sécret/.test(error.message),
      )
    }
    for (const retries of [-1, 0.5, Number.NaN]) assert.throws(() => standfirst({ base, retries }), TypeError)
  })

  test('with the name of an option is a TypeError that says which there are, and asks nothing', async () => {
    asked.length = 0
    const { pieces, products, authors, drafts } = site
    const misspelt = { autor: 'ada' } as object
    assert.throws(() => pieces.recent(misspelt), {
      name: 'TypeError',
      message: 'There is no option autor; there are category, author, language, limit, cursor, signal.',
    })
    for (const list of [pieces.trending, products.recent, drafts.list]) assert.throws(() => list(misspelt), TypeError)
    for (const list of [pieces.search, products.search, authors.search])
      assert.throws(() => list('tea', { q: 'coffee' } as object), /^TypeError: There is no option q; there are /)
    for (const { get } of [pieces, products, authors, drafts]) await assert.rejects(get(ids[0]!, misspelt), TypeError)
    await assert.rejects(drafts.create({ headline: 'a', body_md: 'b' }, misspelt), /idempotencyKey, signal/)
    assert.throws(() => standfirst({ base, ...misspelt }), /there are base, key, fetch, retries, onWait/)
    assert.throws(() => pieces.recent('life' as unknown as object), /^TypeError: Options are an object/)
    assert.equal(asked.length, 0)
  })

  test('with the address does not matter where it is only its end', async () => {
    for (const spelt of [`${base}/`, `${base}//`, `${base}/?a=b#c`]) {
      assert.equal((await standfirst({ base: spelt }).authors.get('ada')).slug, 'ada')
    }
  })

  test('with a call that needs a key and has none is said by the site', async () => {
    const { drafts } = standfirst({ base } as { base: string; key: string })
    await assert.rejects(drafts.list().page(), { status: 401, reason: 'missing_authorization' })
  })
})

test('the client can read and draft, and nothing else', () => {
  const names = Object.entries(site).flatMap(([room, calls]) => Object.keys(calls).map((name) => `${room}.${name}`))
  assert.deepEqual(names, [
    ...['authors.get', 'authors.search'],
    ...['pieces.get', 'pieces.recent', 'pieces.search', 'pieces.trending'],
    ...['products.get', 'products.recent', 'products.search'],
    ...['drafts.create', 'drafts.get', 'drafts.update', 'drafts.delete', 'drafts.list'],
  ])
})
