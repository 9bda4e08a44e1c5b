import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** The orders of a writer's list, and the reads beside each piece. */

const { admin, app } = await testSite()

interface Listed {
  readonly id: string
  readonly headline: string
  readonly reads: number | null
  readonly published_at: string | null
  readonly updated_at: string
}

/** All pages, each of `limit` pieces. */
async function listed(desk: Desk, query: string, limit = 50): Promise<Listed[]> {
  const found: Listed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await desk.ask('GET', `pieces?limit=${limit}&${query}${cursor && `&cursor=${cursor}`}`)
    assert.equal(answer.statusCode, 200, answer.body)
    const page = answer.json() as { pieces: Listed[]; next_cursor: string | null }
    found.push(...page.pieces)
    cursor = page.next_cursor
  }
  return found
}

const headlines = (pieces: readonly Listed[]) => pieces.map(({ headline }) => headline)

async function publish(desk: Desk, headline: string): Promise<string> {
  const id = await desk.begin({ headline })
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}

const read = (id: string, author: string, reads: number) =>
  admin.query('insert into app.piece_reads (piece_id, author_id, reads) values ($1, $2, $3)', [id, author, reads])

const writer = await makeWriter(admin)
const desk = deskOf(app, writer)
const first = await publish(desk, 'Émile and the sea')
await desk.begin({ headline: 'zebra crossing' })
const second = await publish(desk, 'apple')
await desk.begin({ headline: 'Apple' })
const third = await publish(desk, 'Bread')
await read(first, writer.id, 7)
await read(third, writer.id, 1200)
assert.equal((await desk.ask('PATCH', `pieces/${first}`, { sub: 'Again' }, { 'if-match': '*' })).statusCode, 200)

test('the list is ordered by the last change, unless another order is asked for', async () => {
  const expected = ['Émile and the sea', 'Bread', 'Apple', 'apple', 'zebra crossing']
  assert.deepEqual(headlines(await listed(desk, '')), expected)
  assert.deepEqual(headlines(await listed(desk, 'sort=changed')), expected)
})

test('the last published comes first, and what was never public last', async () => {
  const found = await listed(desk, 'sort=published')
  assert.deepEqual(headlines(found), ['Bread', 'apple', 'Émile and the sea', 'Apple', 'zebra crossing'])
  assert.deepEqual(
    found.map(({ published_at }) => published_at !== null),
    [true, true, true, false, false],
  )
})

test('the most read comes first, with the reads of each piece that was public', async () => {
  const found = await listed(desk, 'sort=reads')
  assert.deepEqual(
    found.map(({ headline, reads }) => [headline, reads]),
    [
      ['Bread', 1200],
      ['Émile and the sea', 7],
      ['Apple', null],
      ['apple', 0],
      ['zebra crossing', null],
    ],
  )
})

test('headlines are ordered as in a dictionary, whatever their case and accents', async () => {
  assert.deepEqual(headlines(await listed(desk, 'sort=headline')), [
    'apple',
    'Apple',
    'Bread',
    'Émile and the sea',
    'zebra crossing',
  ])
})

test('every order is the same in pages of one as on one page', async () => {
  for (const sort of ['changed', 'published', 'reads', 'headline']) {
    assert.deepEqual(await listed(desk, `sort=${sort}`, 1), await listed(desk, `sort=${sort}`), sort)
  }
})

test('a page after one whose last piece is gone goes on where it was', async () => {
  const mine = deskOf(app, await makeWriter(admin))
  for (const headline of ['a', 'b', 'c']) await mine.begin({ headline })
  for (const [sort, rest] of [
    ['headline', ['c']],
    ['changed', ['a']],
  ] as const) {
    const start = (await mine.ask('GET', `pieces?limit=2&sort=${sort}`)).json()
    const id = start.pieces[1].id
    await mine.ask('DELETE', `pieces/${id}`)
    const next = (await mine.ask('GET', `pieces?limit=2&sort=${sort}&cursor=${start.next_cursor}`)).json()
    assert.deepEqual(headlines(next.pieces), rest, sort)
    assert.equal((await mine.ask('POST', `trash/${id}/restore`)).statusCode, 204)
  }
})

test('the longest headlines are paged too', async () => {
  const mine = deskOf(app, await makeWriter(admin))
  const long = ['🫖'.repeat(200), '"'.repeat(200), '\\'.repeat(200)]
  for (const headline of long) await mine.begin({ headline })
  assert.deepEqual(headlines(await listed(mine, 'sort=headline', 1)).sort(), long.sort())
})

test('a cursor of another order, an edited one and an unknown order are refused', async () => {
  const { next_cursor } = (await desk.ask('GET', 'pieces?limit=1&sort=reads')).json()
  const edited = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  for (const query of [
    `sort=headline&cursor=${next_cursor}`,
    `cursor=${next_cursor}`,
    `sort=reads&cursor=${edited(['desk-reads', 1e300, 0, second])}`,
    `sort=headline&cursor=${edited(['desk-headline', 'a\0', 0, second])}`,
    `sort=headline&cursor=${edited(['desk-headline', '\ud800', 0, second])}`,
    'sort=status',
  ]) {
    assert.equal((await desk.ask('GET', `pieces?${query}`)).statusCode, 400, query)
  }
})

test('reads and orders are those of a writer’s own pieces', async () => {
  const other = await makeWriter(admin)
  const others = deskOf(app, other)
  await read(await publish(others, 'Elsewhere'), other.id, 99)
  assert.deepEqual(
    (await listed(others, 'sort=reads')).map(({ headline, reads }) => [headline, reads]),
    [['Elsewhere', 99]],
  )
  assert.ok(!headlines(await listed(desk, 'sort=reads')).includes('Elsewhere'))
})
