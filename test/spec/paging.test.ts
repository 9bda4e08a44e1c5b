import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { type MadeWriter, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'

/** Cursors, of docs/adr: `cursor` in, `next_cursor` and `Link: rel="next"` out, on every list. */

const { admin, ask } = await testSite()

interface Page {
  readonly count: number
  readonly items?: readonly Row[]
  readonly results?: readonly Row[]
  readonly next_cursor: string | null
}
interface Row {
  readonly id?: string
  readonly slug?: string
  readonly match_site?: string
}
const rowsOf = ({ items, results }: Page) => (items ?? results)!.map((row) => (row.id ?? row.slug)!)
const page = async (address: string) => (await ask(address)).json<Page>()

/** Follows the cursors to the last page. */
async function walk(address: string, limit: number, between = async () => {}): Promise<string[]> {
  const rows: string[] = []
  let cursor: string | null | undefined
  for (let pages = 0; cursor !== null; pages += 1) {
    assert.ok(pages < 200, 'the list has no end')
    const one: Page = await page(`${address}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
    assert.ok(one.count === limit || one.next_cursor === null, 'a page before the last is not full')
    rows.push(...rowsOf(one))
    cursor = one.next_cursor
    await between()
  }
  return rows
}

let writer: MadeWriter
before(async () => {
  writer = await makeWriter(admin, { slug: 'pager' })
  // Three pieces share each timestamp, so a cursor must distinguish more than time.
  for (let number = 0; number < 24; number += 1) {
    await makePiece(admin, writer, {
      headline: number % 3 === 0 ? 'folio one' : 'A headline',
      sub: number % 3 === 1 ? 'folio two' : 'A standfirst',
      body_md: number % 3 === 2 || number % 4 === 0 ? 'folio three' : 'A body.',
      category: number % 2 ? 'life' : 'money',
      publishedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(number / 3))),
    })
  }
  for (let number = 0; number < 13; number += 1) {
    const author = await makeWriter(admin, { niche: 'folio', verified: number % 2 === 0 })
    if (number % 3 === 0) await makePiece(admin, author, { category: 'civic', publishedAt: new Date(0) })
  }
})

const lists = [
  ['recent pieces', '/api/public/pieces/recent?', 29],
  ['recent pieces of a category', '/api/public/pieces/recent?category=life', 12],
  ['piece search over all three sites', '/api/public/pieces/search?q=folio', 24],
  ['piece search in a category', '/api/public/pieces/search?q=folio&category=money', 12],
  ['author search', '/api/public/authors/search?q=folio', 13],
] as const

for (const [name, address, total] of lists) {
  describe(name, () => {
    for (const limit of [1, 2, 3, 5, 7, total - 1, total, total + 1]) {
      test(`pages of ${limit} give the whole list in its order, without gap or repeat`, async () => {
        const whole = rowsOf(await page(`${address}&limit=50`))
        assert.equal(whole.length, total)
        assert.equal(new Set(whole).size, total)
        assert.deepEqual(await walk(address, limit), whole)
      })
    }

    test('the last page says so, and has no Link', async () => {
      const answer = await ask(`${address}&limit=${total}`)
      assert.equal(answer.json<Page>().next_cursor, null)
      assert.equal(answer.headers['link'], undefined)
    })

    test('Link: rel="next" leads to the page that next_cursor does', async () => {
      const answer = await ask(`${address}&limit=2`)
      const [, target] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? []
      assert.ok(target?.startsWith('https://site.test/api/public/') === true, `Link is ${answer.headers['link']}`)
      const { next_cursor } = answer.json<Page>()
      const byCursor = await page(`${address}&limit=2&cursor=${next_cursor}`)
      assert.deepEqual(await page(target.slice('https://site.test'.length)), byCursor)
      assert.equal(byCursor.count, 2)
    })

    test('Link replaces the cursor it was asked with', async () => {
      const { next_cursor } = await page(`${address}&limit=2`)
      const { headers } = await ask(`${address}&limit=2&cursor=${next_cursor}`)
      assert.equal(String(headers['link']).match(/cursor=/g)?.length, 1)
    })

    test('a cursor is one plain word', async () => {
      assert.match((await page(`${address}&limit=2`)).next_cursor!, /^[A-Za-z0-9_-]+$/)
    })

    test('a cursor of another list is 400', async () => {
      const kind = (one: string) => one.split('?')[0]
      for (const [, elsewhere] of lists) {
        if (kind(elsewhere) === kind(address)) continue
        const { next_cursor } = await page(`${elsewhere}&limit=2`)
        await isRefused(`${address}&cursor=${next_cursor}`)
      }
    })

    test('a cursor that was edited is 400', async () => {
      const cursor = (await page(`${address}&limit=2`)).next_cursor!
      const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
      const remade = (changed: unknown) => Buffer.from(JSON.stringify(changed)).toString('base64url')
      for (const edited of [
        cursor.slice(4),
        cursor.slice(0, -4),
        `A${cursor.slice(1)}`,
        `${cursor}.`,
        `${cursor}AAAA`,
        'null',
        'a'.repeat(201),
        '',
        remade(null),
        remade({}),
        remade([]),
        remade(parts.slice(0, -1)),
        remade([...parts, 1]),
        ...parts.flatMap((_, at) => [
          remade(parts.with(at, null)),
          remade(parts.with(at, [])),
          remade(parts.with(at, '\u0000')),
          remade(parts.with(at, 1e300)),
        ]),
      ]) {
        await isRefused(`${address}&cursor=${edited}`)
      }
    })
  })
}

async function isRefused(address: string): Promise<void> {
  const answer = await ask(address)
  assert.equal(answer.statusCode, 400, `${address} answered ${answer.statusCode}`)
  assert.equal(answer.json().errors[0].pointer, '/cursor')
}

test('a piece published while one pages is not shown twice, and nothing older is left out', async () => {
  const whole = rowsOf(await page('/api/public/pieces/recent?limit=50'))
  const newer: string[] = []
  const walked = await walk('/api/public/pieces/recent?', 6, async () => {
    newer.push(await makePiece(admin, writer, { headline: 'newer' }))
  })
  assert.deepEqual(walked, whole)
  for (const id of newer) await unpublish(admin, writer, id)
})

test('a piece unpublished while one pages does not stop the walk where its cursor was', async () => {
  const id = await makePiece(admin, writer, { id: randomUUID(), headline: 'gone' })
  const first = await page('/api/public/pieces/recent?limit=1')
  assert.ok(rowsOf(first)[0]!.endsWith(id))
  await unpublish(admin, writer, id)
  const rest = await page(`/api/public/pieces/recent?limit=50&cursor=${first.next_cursor}`)
  assert.deepEqual(rowsOf(rest), rowsOf(await page('/api/public/pieces/recent?limit=50')))
})
