import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { type Filter, newest, statements } from '../../server/features/pieces/list-queries.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, type MadeWriter, makeDraft, makePiece, makeWriter } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'

/** `author` of GET /api/public/pieces/recent, an extension of the specification: all pieces of one writer. */

const { admin, ask } = await testSite()
const recent = '/api/public/pieces/recent'

interface Page {
  readonly category: string | null
  readonly items: readonly { readonly id: string; readonly authors: readonly { readonly slug: string }[] }[]
  readonly next_cursor: string | null
}
const page = async (address: string) => (await ask(address)).json<Page>()
const idsOf = ({ items }: Page) => items.map(({ id }) => id.slice(-36))

let ada: MadeWriter
let ben: MadeWriter
const hers: string[] = []
before(async () => {
  ada = await makeWriter(admin, { slug: 'ada' })
  ben = await makeWriter(admin, { slug: 'ben' })
  await makeWriter(admin, { slug: 'silent' })
  for (let day = 1; day <= 9; day += 1) {
    const given = { category: day % 2 ? 'life' : 'money', publishedAt: new Date(Date.UTC(2026, 0, day)) } as const
    hers.unshift(await makePiece(admin, ada, given))
    await makePiece(admin, ben, given)
  }
  await makeDraft(admin, ada)
})

describe('author', () => {
  test('keeps to the public pieces of one writer, newest first', async () => {
    assert.deepEqual(idsOf(await page(`${recent}?author=ada`)), hers)
  })

  test('goes from page to page by cursor and by Link, without doubles', async () => {
    const seen: string[] = []
    let address: string | undefined = `${recent}?author=ada&limit=4`
    while (address) {
      const answer = await ask(address)
      seen.push(...idsOf(answer.json<Page>()))
      address = /^<https:\/\/site\.test([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
    }
    assert.deepEqual(seen, hers)
  })

  test('and category keep to what is both', async () => {
    const { category, ...found } = await page(`${recent}?author=ada&category=life&limit=3`)
    assert.equal(category, 'life')
    const rest = await page(`${recent}?author=ada&category=life&cursor=${found.next_cursor}`)
    const ofLife = hers.filter((_, at) => at % 2 === 0)
    assert.deepEqual([...idsOf({ category, ...found }), ...idsOf(rest)], ofLife)
  })

  test('of somebody who has published nothing is an empty list', async () => {
    assert.deepEqual((await page(`${recent}?author=silent`)).items, [])
  })

  for (const slug of ['nobody', '', 'ADA%20', '..%2Fada', '%00']) {
    test(`"${slug}" is 404, as the author of that slug is`, async () => {
      const answer = await ask(`${recent}?author=${slug}`)
      assert.deepEqual([answer.statusCode, answer.json().reason], [404, 'not_found'])
      assert.equal(withoutId(answer.body), withoutId((await ask('/api/public/authors/nobody')).body))
    })
  }

  test('given twice is 400', async () => {
    const { errors } = (await ask(`${recent}?author=ada&author=ben`)).json()
    assert.deepEqual([errors[0].pointer, errors[0].code], ['/author', 'repeated'])
  })

  test("is purged with its author, and not with everybody's lists", async () => {
    const { headers } = await ask(`${recent}?author=silent`)
    assert.deepEqual(
      [headers['surrogate-key'], headers['cache-tag']],
      ['author-silent byline-silent', 'author-silent,byline-silent'],
    )
    const etag = String(headers['etag'])
    const again = await ask({ url: `${recent}?author=silent`, headers: { 'if-none-match': etag } })
    assert.equal(again.statusCode, 304)
    assert.equal((await ask(recent)).headers['surrogate-key'], 'pieces')
  })

  test('that was renamed is found by the former slug, and tagged with the one they have', async () => {
    await inTransaction(admin, async (owner) => {
      await renameWriter(owner, 'ben', 'benedict')
      await publishProfile(owner, ben.id)
    })
    const answer = await ask(`${recent}?author=ben`)
    assert.deepEqual(new Set(answer.json<Page>().items.map(({ authors }) => authors[0]!.slug)), new Set(['benedict']))
    assert.equal(answer.headers['surrogate-key'], 'author-benedict byline-benedict')
  })
})

test('an author’s list goes along the index of their pieces, without a sort', async () => {
  const filters: Filter[] = [{}, { category: 'life' }, { language: 'en' }, { category: 'life', language: 'en' }]
  const client = await admin.connect()
  try {
    // A test's tables are so small that a sequential scan would be cheapest.
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    for (const filter of filters.map((one) => ({ ...one, authorId: ada.id }))) {
      const { text, values } = statements.recentPages(filter)
      const asked = values({ ...newest, limit: 21, ...filter })
      const { rows } = await client.query({ text: `explain (format json) ${text}`, values: asked })
      const plan = JSON.stringify(rows)
      assert.match(plan, filter.category ? /"pieces_by_(author|category)"/ : /"pieces_by_author"/)
      assert.doesNotMatch(plan, /"Sort"/)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
