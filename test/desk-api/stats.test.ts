import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PieceReadStats, ReadStats } from '../../server/features/trending/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeDraft, makePiece, makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { addPastReads, browserAgent, readPixel, waitForCountedReads } from '../../testkit/read-counts.ts'

/** The desk's read statistics and referrers. */

const { admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada' })
const ben = await makeWriter(admin, { slug: 'ben' })
const marker = await makePiece(admin, await makeWriter(admin), { headline: 'A marker' })

const tea = await makePiece(admin, ada, { headline: 'On tea' })
const milk = await makePiece(admin, ada, { headline: 'On milk' })
const jam = await makePiece(admin, ben, { headline: 'On jam' })
const statsOf = async (writer = ada, query = '') =>
  (await deskOf(app, writer).ask('GET', `stats${query}`)).json<ReadStats>()
const statsOfPiece = async (id: string, query = '') =>
  (await deskOf(app, ada).ask('GET', `stats/pieces/${id}${query}`)).json<PieceReadStats>()

await addPastReads(admin, tea, 4, 0)
await addPastReads(admin, tea, 3, 48)
await addPastReads(admin, milk, 5, 24)
await addPastReads(admin, milk, 50, 24 * 60)
await addPastReads(admin, milk, 500, 24 * 200)
await addPastReads(admin, jam, 1000, 24)

interface Visit {
  readonly from?: string
  readonly referer?: string
  readonly agent?: string
  readonly query?: string
  readonly method?: 'HEAD'
  readonly accept?: string
  readonly headers?: Record<string, string>
}

/** Opens the page of a piece. */
const visit = (
  path: string,
  { from = '198.51.100.1', referer, agent = browserAgent, query = '', method, accept, headers }: Visit,
) =>
  app.inject({
    method: method ?? 'GET',
    url: `${path}${query}`,
    remoteAddress: from,
    headers: { 'user-agent': agent, accept: accept ?? 'text/html', ...(referer ? { referer } : {}), ...headers },
  })

describe('counts', () => {
  test('of 30 days are told day by day, oldest first, with the days on which nobody read', async () => {
    const { days, reads, per_day, total_reads } = await statsOf()
    assert.deepEqual([days, reads, total_reads, per_day.length], [30, 12, 562, 30])
    const today = new Date().toISOString().slice(0, 10)
    assert.equal(per_day.at(-1)?.day, today)
    assert.deepEqual(
      per_day.slice(-4).map(({ reads }) => reads),
      [0, 3, 5, 4],
    )
    for (const [index, { day }] of per_day.entries()) {
      const expected = new Date(Date.parse(today) - (29 - index) * 86_400_000).toISOString().slice(0, 10)
      assert.equal(day, expected)
    }
  })

  test('of 90 days reach further back', async () => {
    const { days, reads, per_day } = await statsOf(ada, '?days=90')
    assert.deepEqual([days, reads, per_day.length], [90, 62, 90])
  })

  test('name the pieces read most in these days, with their address while they are public', async () => {
    const { pieces } = await statsOf()
    assert.deepEqual(pieces, [
      { id: tea, headline: 'On tea', url: 'https://site.test/author/ada/on-tea', reads: 7, total_reads: 7 },
      { id: milk, headline: 'On milk', url: 'https://site.test/author/ada/on-milk', reads: 5, total_reads: 555 },
    ])
  })

  test('of one piece are its own', async () => {
    const { piece, reads, total_reads } = await statsOfPiece(milk, '?days=90')
    assert.deepEqual([piece.id, piece.headline, reads, total_reads], [milk, 'On milk', 55, 555])
  })

  test('are nobody else’s', async () => {
    assert.equal((await statsOf(ben)).total_reads, 1000)
    const theirs = await deskOf(app, ada).ask('GET', `stats/pieces/${jam}`)
    const none = await deskOf(app, ada).ask('GET', 'stats/pieces/00000000-0000-4000-8000-000000000000')
    assert.deepEqual([theirs.statusCode, withoutId(theirs.body)], [404, withoutId(none.body)])
  })

  test('are told to writers who are signed in alone', async () => {
    assert.equal((await app.inject('/desk/api/stats')).statusCode, 401)
    assert.equal((await deskOf(app, await makeModerator(admin)).ask('GET', 'stats')).statusCode, 200)
  })

  test('of a writer nobody has read yet are nothing, and no error', async () => {
    const stats = await statsOf(await makeWriter(admin))
    assert.deepEqual([stats.total_reads, stats.reads, stats.pieces, stats.sources], [0, 0, [], []])
    assert.equal(stats.per_day.length, 30)
  })

  test('of any other number of days are refused', async () => {
    for (const days of ['31', '0', '-30', 'x', '']) {
      assert.equal((await deskOf(app, ada).ask('GET', `stats?days=${days}`)).statusCode, 400, days)
    }
  })

  test('of a draft are nothing', async () => {
    const id = await makeDraft(admin, ada)
    const { piece, total_reads } = await statsOfPiece(id)
    assert.deepEqual([piece.url, total_reads], [null, 0])
  })
})

describe('where visitors came from', () => {
  test('is the host of the page before, or the word of the link; our own pages, robots and what is no name are left out', async () => {
    await visit('/author/ada/on-tea', { referer: 'https://www.News.example/a/secret/path?q=1' })
    await visit('/author/ada/on-tea', { from: '198.51.100.2', referer: 'https://news.example/' })
    await visit('/author/ada/on-tea', { from: '198.51.100.3', query: '?ref=letter' })
    await visit('/author/ada/on-tea', {
      from: '198.51.100.4',
      query: '?utm_source=Letter',
      referer: 'https://x.example/',
    })
    await visit('/author/ada/on-tea', { from: '198.51.100.5', query: '?ref=https://www.blog.example/post' })
    await visit('/author/ada/on-tea', { from: '198.51.100.6', referer: 'https://site.test/' })
    await visit('/author/ada/on-tea', { from: '198.51.100.7', referer: 'https://bots.example/', agent: 'A Bot/1' })
    await visit('/author/ada/on-tea', { from: '198.51.100.8', referer: 'https://head.example/', method: 'HEAD' })
    await visit('/author/ada/on-tea', { from: '198.51.100.9', referer: 'https://md.example/', accept: 'text/markdown' })
    await visit('/author/ada/on-tea', { from: '198.51.100.10', query: '?ref=%3Cscript%3E' })
    await visit('/author/ada/on-tea', { from: '198.51.100.11', referer: 'https://localhost/' })
    await visit('/author/ada/on-tea', { from: '198.51.100.12', referer: 'file:///home/me' })
    await visit('/author/ada/on-tea', { from: '198.51.100.13', query: '?ref=a&ref=b' })
    await waitForCountedReads(app, admin, marker)
    const expected = [
      { source: 'letter', visits: 2 },
      { source: 'news.example', visits: 2 },
      { source: 'blog.example', visits: 1 },
    ]
    assert.deepEqual((await statsOfPiece(tea)).sources, expected)
    assert.deepEqual((await statsOf()).sources, expected)
    assert.equal((await statsOf()).reads, 12)
  })

  test('is told of pages that somebody opens, not of those another site names as its picture, frame or data', async () => {
    await makePiece(admin, ada, { headline: 'On salt' })
    const opened = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const ways: [string, Record<string, string>][] = [
      ['opened', opened],
      ['silent', {}],
      ['picture', { ...opened, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
      ['frame', { ...opened, 'sec-fetch-dest': 'iframe' }],
      ['data', { ...opened, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ]
    for (const [source, headers] of ways)
      await visit('/author/ada/on-salt', { agent: `C/${source}`, query: `?ref=${source}`, headers })
    await waitForCountedReads(app, admin, marker)
    const { rows } = await admin.query(
      `select source from app.piece_sources join pub.pieces on id = piece_id where slug = 'on-salt' order by source`,
    )
    assert.deepEqual(
      rows.map(({ source }) => source),
      ['opened', 'silent'],
    )
  })

  test('counts once a day for a reader and a piece', async () => {
    for (let time = 0; time < 3; time += 1)
      await visit('/author/ada/on-milk', { referer: `https://place-${time}.example/` })
    await waitForCountedReads(app, admin, marker)
    const { sources } = await statsOfPiece(milk)
    assert.deepEqual(sources, [{ source: 'place-0.example', visits: 1 }])
  })

  test('keeps a hundred names of a piece and day, so that nobody fills the site with names', async () => {
    for (let name = 0; name < 300; name += 1)
      await visit('/author/ben/on-jam', {
        from: `10.${name >> 8}.${name % 256}.1`,
        query: `?ref=name-${name}`,
        agent: `A/${name}`,
      })
    await waitForCountedReads(app, admin, marker)
    for (let name = 0; name < 50; name += 1)
      await visit('/author/ben/on-jam', { from: `10.2.${name}.1`, agent: `B/${name}`, query: `?ref=later-${name}` })
    await waitForCountedReads(app, admin, marker)
    const { rows } = await admin.query<{ names: number; visits: number }>(
      `select count(*) filter (where source <> '')::integer as names, sum(visits)::integer as visits
         from app.piece_sources where piece_id = $1`,
      [jam],
    )
    // Two concurrent batches may exceed it a little.
    assert.ok(rows[0]!.names <= 102, `${rows[0]!.names} names`)
    assert.equal(rows[0]!.visits, 350)
    const { sources } = await statsOf(ben)
    assert.equal(sources.length, 21)
    assert.equal(sources.at(-1)?.source, null)
    assert.equal(
      sources.reduce((sum, { visits }) => sum + visits, 0),
      350,
    )
  })
})

test('a day’s readers still count the same reader once after a reload of the page', async () => {
  const id = await makePiece(admin, ada, { headline: 'Reloaded' })
  await readPixel(app, id)
  await waitForCountedReads(app, admin, marker)
  await readPixel(app, id)
  await waitForCountedReads(app, admin, marker)
  assert.equal((await statsOfPiece(id)).total_reads, 1)
})
