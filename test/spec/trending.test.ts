import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TrendingList } from '../../server/features/trending/schema.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { addPastReads, scoreNow } from '../../testkit/read-counts.ts'

/** GET /api/public/pieces/trending, the REST equivalent of the tool trending_pieces. */

const { admin, app, ask } = await testSite()
const address = '/api/public/pieces/trending'
const list = async (query = '') => (await ask(`${address}${query}`)).json<TrendingList>()
const titles = async (query = '') => (await list(query)).items.map(({ title }) => title)

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada', verified: true })
const made = new Map<string, string>()
const piece = async (headline: string, category: string, day: number) => {
  const publishedAt = new Date(Date.UTC(2026, 0, day))
  made.set(headline, await makePiece(admin, writer, { headline, category, tags: ['tea'], publishedAt }))
}

before(async () => {
  await piece('Fresh', 'life', 1)
  await piece('Steady', 'life', 2)
  await piece('Older', 'money', 3)
  await piece('Oldest', 'money', 4)
  await piece('Twin, older', 'ideas', 5)
  await piece('Twin, newer', 'ideas', 6)
  await piece('Unread', 'ideas', 7)
  await addPastReads(admin, made.get('Fresh')!, 10, 1)
  await addPastReads(admin, made.get('Steady')!, 30, 40)
  await addPastReads(admin, made.get('Older')!, 100, 24 * 6)
  await addPastReads(admin, made.get('Oldest')!, 1000, 24 * 20)
  await addPastReads(admin, made.get('Twin, older')!, 1, 2)
  await addPastReads(admin, made.get('Twin, newer')!, 1, 2)
  await scoreNow(admin)
})

describe('the list', () => {
  test('is of the last seven days unless asked otherwise, and each read halves in two days', async () => {
    // 10·2^(-1/48), 30·2^(-40/48), 100·2^(-144/48), 1·2^(-2/48) twice, each some minutes older or younger.
    assert.deepEqual(await titles(), ['Steady', 'Older', 'Fresh', 'Twin, newer', 'Twin, older'])
    assert.deepEqual(await titles('?window=7d'), await titles())
  })

  test('of 24 hours has what was read in them, halving every six hours', async () => {
    assert.deepEqual(await titles('?window=24h'), ['Fresh', 'Twin, newer', 'Twin, older'])
  })

  test('of 30 days reaches back a month, halving every week', async () => {
    assert.deepEqual((await titles('?window=30d')).slice(0, 2), ['Oldest', 'Older'])
  })

  test('orders equals newest first', async () => {
    assert.deepEqual(await titles('?category=ideas'), ['Twin, newer', 'Twin, older'])
  })

  test('of a category has its own ranks', async () => {
    const { category, items } = await list('?category=money')
    assert.equal(category, 'money')
    assert.deepEqual(
      items.map(({ title, rank }) => [title, rank]),
      [['Older', 1]],
    )
  })

  test('tells its window, its category or null, and how many there are; an item is a PieceListItem with its rank', async () => {
    const { ok, window, category, count, items, next_cursor } = await list()
    assert.deepEqual([ok, window, category, count, next_cursor], [true, '7d', null, 5, null])
    const recent = (await ask('/api/public/pieces/recent?limit=100')).json().items
    for (const [index, { rank, ...item }] of items.entries()) {
      assert.equal(rank, index + 1)
      assert.deepEqual(
        item,
        recent.find(({ id }: { id: string }) => id === item.id),
      )
    }
  })

  test('never has a piece that nobody read', async () => {
    for (const window of ['24h', '7d', '30d']) assert.ok(!(await titles(`?window=${window}`)).includes('Unread'))
  })

  test('is walked by cursors, with ranks that go on', async () => {
    const seen: [string, number][] = []
    let cursor: string | null = null
    do {
      const page: TrendingList = await list(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...page.items.map(({ title, rank }): [string, number] => [title, rank]))
      cursor = page.next_cursor
    } while (cursor !== null)
    const whole = (await list()).items
    assert.deepEqual(
      seen,
      whole.map(({ title, rank }) => [title, rank]),
    )
  })

  test('is cached like every public read, and purged with every list', async () => {
    const answer = await ask(address)
    assert.equal(answer.headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
    assert.equal(answer.headers['surrogate-key'], 'pieces')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    const again = await app.inject({ url: address, headers: { 'if-none-match': String(answer.headers.etag) } })
    assert.equal(again.statusCode, 304)
  })

  test('says by which formula it is made', async () => {
    const { paths } = (await app.inject('/api/openapi.json')).json()
    const { description } = paths[address].get
    for (const words of ['halves|half of its weight', '6 hours', '48 hours', '7 days', 'newest first'])
      assert.match(description, new RegExp(words))
  })
})

describe('what is refused', () => {
  for (const query of [
    ...['window=1d', 'window=', 'window=7d&window=7d', 'category=tea', 'category='],
    ...['limit=0', 'limit=51', 'limit=-1', 'limit=1e1', 'limit=', 'limit=5&limit=6'],
    ...['cursor=', 'cursor=abc', `cursor=${Buffer.from('["recent",1,2]').toString('base64url')}`],
    ...[`cursor=${Buffer.from('["trending",1.5,2]').toString('base64url')}`],
    ...[`cursor=${Buffer.from('["trending",99999999999,2]').toString('base64url')}`],
  ]) {
    test(query, async () => {
      const answer = await ask(`${address}?${query}`)
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.json().reason, 'validation_failed')
    })
  }
})

test('a piece that is unpublished is gone at once, and the ranks close up', async () => {
  await unpublish(admin, writer, made.get('Older')!)
  const { items, count } = await list()
  assert.equal(count, 4)
  assert.deepEqual(
    items.map(({ title, rank }) => [title, rank]),
    [
      ['Steady', 1],
      ['Fresh', 2],
      ['Twin, newer', 3],
      ['Twin, older', 4],
    ],
  )
  assert.deepEqual(await titles('?category=money'), [])
})

test('an empty site has an empty list', async () => {
  const { url: emptyUrl } = await testDatabase()
  const empty = await testApp(emptyUrl)
  const { statusCode, body } = await empty.inject(address)
  assert.equal(statusCode, 200)
  assert.deepEqual(JSON.parse(body), { ok: true, window: '7d', category: null, count: 0, items: [], next_cursor: null })
})

test('"trending" is nobody’s slug', async () => {
  await assert.rejects(makeWriter(admin, { slug: 'trending' }))
})
