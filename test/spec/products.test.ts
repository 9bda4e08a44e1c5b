import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { statements } from '../../server/features/products/queries.ts'
import type { Product, ProductHits } from '../../server/features/products/schema.ts'
import { testSite } from '../../testkit/app.ts'
import {
  makeDraft,
  makePiece,
  makeProduct,
  makeProductDraft,
  makeWriter,
  unpublish,
  withdrawProduct,
} from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'

/** /api/public/products, as docs/adr defines the records that the specification only names. */

const { admin, ask } = await testSite()

const search = async (query = '') => (await ask(`/api/public/products/search${query}`)).json<ProductHits>()
const names = async (query = '') => (await search(query)).results.map(({ name }) => name)
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', verified: true })
const ben = await makeWriter(admin, { slug: 'ben', name: 'Ben' })

describe('one listing', () => {
  test('has every field of a Product, and nothing else', async () => {
    const piece = await makePiece(admin, ada, { headline: 'The case for slow tea' })
    const id = await makeProduct(admin, ada, {
      name: 'The tea notebook',
      summary: 'Ninety-six pages.',
      description: 'Bound in Lisbon.\n\nOn good paper.',
      price: { amount: '19', currency: 'EUR' },
      category: 'Stationery',
      payment_url: 'https://pay.example/tea',
      related: [piece],
    })
    const { ok, product } = (await ask(`/api/public/products/${id}`)).json<{ ok: boolean; product: Product }>()
    assert.equal(ok, true)
    const { updated_at, ...rest } = product
    assert.match(updated_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual(rest, {
      id,
      slug: 'the-tea-notebook',
      name: 'The tea notebook',
      summary: 'Ninety-six pages.',
      price: { amount: '19.00', currency: 'EUR' },
      category: 'Stationery',
      seller: { name: 'Ada Okafor', slug: 'ada', url: 'https://site.test/author/ada', identity_verified: true },
      image_url: null,
      url: 'https://site.test/shop/the-tea-notebook',
      payment_url: 'https://pay.example/tea',
      description: 'Bound in Lisbon.\n\nOn good paper.',
      related_pieces: [
        {
          id: `https://site.test/p/${piece}`,
          url: 'https://site.test/author/ada/the-case-for-slow-tea',
          title: 'The case for slow tea',
        },
      ],
    })
  })

  test('says null where its seller said nothing', async () => {
    const id = await makeProduct(admin, ben)
    const { product } = (await ask(`/api/public/products/${id}`)).json()
    const { summary, price, category, image_url, description, related_pieces } = product
    assert.deepEqual(
      [summary, price, category, image_url, description, related_pieces],
      [null, null, null, null, null, []],
    )
  })

  test('shows related writing in order, and only while it is public', async () => {
    const pieces = await Promise.all(['One', 'Two', 'Three'].map((headline) => makePiece(admin, ada, { headline })))
    const draft = await makeDraft(admin, ada, { headline: 'Not yet' })
    const id = await makeProduct(admin, ada, { related: [pieces[2]!, draft, pieces[0]!, pieces[1]!] })
    const titles = async () =>
      (await ask(`/api/public/products/${id}`))
        .json()
        .product.related_pieces.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles(), ['Three', 'One', 'Two'])
    await unpublish(admin, ada, pieces[0]!)
    assert.deepEqual(await titles(), ['Three', 'Two'])
  })

  test('that is a draft, was withdrawn, or never was, is the same 404', async () => {
    const draft = await makeProductDraft(admin, ada)
    const withdrawn = await makeProduct(admin, ada)
    await withdrawProduct(admin, ada, withdrawn)
    const answers = await Promise.all(
      [draft, withdrawn, randomUUID(), 'no-uuid'].map((id) => ask(`/api/public/products/${id}`)),
    )
    for (const { statusCode, body } of answers)
      assert.deepEqual([statusCode, withoutId(body)], [404, withoutId(answers[0]!.body)])
    assert.equal(answers[0]!.json().reason, 'not_found')
  })

  test('is cacheable by all, and answers 304 to who has it', async () => {
    const id = await makeProduct(admin, ada, { name: 'Kept' })
    const first = await ask(`/api/public/products/${id}`)
    assert.match(String(first.headers['cache-control']), /public/)
    assert.match(String(first.headers['cache-tag']), new RegExp(`product-${id}.*author-ada`))
    const again = await ask({
      url: `/api/public/products/${id}`,
      headers: { 'if-none-match': String(first.headers['etag']) },
    })
    assert.equal(again.statusCode, 304)
  })
})

describe('search', () => {
  before(async () => {
    const make = (name: string, number: number, more = {}) =>
      makeProduct(admin, ben, { name, listedAt: day(number), ...more })
    await make('Quillwort field guide', 1)
    await make('A walk', 9, { summary: 'With a quillwort in it.' })
    await make('A talk', 7, { description: 'About the Quillwort.' })
    await make('A stalk', 8, { category: 'Quillworts' })
    await make('The quillwort', 5)
    await make('100% wool_hat', 2)
    await makeProductDraft(admin, ben, { name: 'A quillwort nobody sees' })
  })

  test('finds a part of name, summary, description or category: name matches first, then the newest', async () => {
    assert.deepEqual(await names('?q=QUILLwort'), [
      'The quillwort',
      'Quillwort field guide',
      'A walk',
      'A stalk',
      'A talk',
    ])
  })

  test('takes %, _ and \\ as themselves', async () => {
    assert.deepEqual(await names('?q=0%25%20w'), ['100% wool_hat'])
    assert.deepEqual(await names('?q=l_h'), ['100% wool_hat'])
    assert.deepEqual(await names('?q=%25%25'), [])
    assert.deepEqual(await names('?q=%5C'), [])
  })

  test('finds no term that begins in one field and ends in another', async () => {
    await makeProduct(admin, ben, { name: 'Zander', summary: 'xylograph' })
    assert.deepEqual(await names('?q=zander%20xylo'), [])
  })

  test('without a term gives the newest, and says that nothing was asked for', async () => {
    const all = await search('?limit=3')
    assert.equal(all.query, null)
    assert.deepEqual([all.count, all.results.length], [3, 3])
    const newest = await makeProduct(admin, ada, { name: 'Just now', listedAt: new Date('2099-01-01') })
    await makeProduct(admin, ada, { name: 'Long ago', listedAt: new Date(0) })
    assert.equal((await search('?limit=1')).results[0]!.id, newest)
    assert.equal((await names('?limit=50')).at(-1), 'Long ago')
  })

  test('keeps to one seller, also by the slug they had', async () => {
    assert.ok((await search('?seller=ben')).results.every(({ seller }) => seller.slug === 'ben'))
    assert.deepEqual(await names('?q=quillwort&seller=ada'), [])
    assert.deepEqual(await names('?q=field&seller=ben'), ['Quillwort field guide'])
    assert.deepEqual(await names('?seller=nobody'), [])
    assert.deepEqual(await names('?seller=No%20Slug!'), [])
    await admin.query("insert into app.former_slugs (slug, writer_id) values ('benjamin', $1)", [ben.id])
    await admin.query(
      'begin; set local role svc_publisher; select app.show_author(id) from app.writers where slug = $$ben$$; commit',
    )
    assert.deepEqual(await names('?q=field&seller=benjamin'), ['Quillwort field guide'])
  })

  for (const limit of [1, 2, 3, 4, 5, 6]) {
    test(`pages of ${limit} give the whole list, without gap or repeat`, async () => {
      for (const address of ['?q=quillwort', '?seller=ben', '?q=quillwort&seller=ben']) {
        const whole = (await search(`${address}&limit=50`)).results.map(({ id }) => id)
        const walked: string[] = []
        let cursor: string | null = ''
        while (cursor !== null) {
          const page: ProductHits = await search(`${address}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
          walked.push(...page.results.map(({ id }) => id))
          cursor = page.next_cursor
        }
        assert.deepEqual(walked, whole)
      }
    })
  }

  test('links the next page', async () => {
    const { headers } = await ask('/api/public/products/search?q=quillwort&limit=2')
    assert.match(
      String(headers['link']),
      /<https:\/\/site\.test\/api\/public\/products\/search\?.*cursor=[\w-]+.*>; rel="next"/,
    )
  })

  test('refuses a limit out of its range, an empty term and a cursor of another list', async () => {
    const { next_cursor } = await search('?seller=ben&limit=1')
    for (const query of [
      '?limit=0',
      '?limit=51',
      '?limit=x',
      '?q=',
      '?q=%20',
      `?q=a&cursor=${next_cursor}`,
      '?cursor=zzz',
    ]) {
      const answer = await ask(`/api/public/products/search${query}`)
      assert.deepEqual([answer.statusCode, answer.json().reason], [400, 'validation_failed'], query)
    }
  })
})

describe('what is asked of the database', () => {
  const latest = { time: new Date('9999-12-31'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 11 }
  const planOf = async (text: string, values: unknown[]): Promise<string> => {
    const client = await admin.connect()
    try {
      // A test's tables are so small that a sequential scan would be cheapest.
      await client.query('begin; set local enable_seqscan = off; set local enable_sort = off')
      const { rows } = await client.query({ text: `explain (format json) ${text}`, values })
      return JSON.stringify(rows)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('goes by an index: the newest by recency, a rare term by its trigrams, one by id or slug', async () => {
    const { newest, name, text, productById, productBySlug } = statements
    assert.match(await planOf(newest.text, newest.values(latest)), /products_by_recency/)
    for (const [by, index] of [
      [name, /products_by_(name|recency)/],
      [text, /products_by_(text|recency)/],
    ] as const)
      assert.match(await planOf(by.text, by.values({ ...latest, like: '%quillwort%' })), index)
    assert.match(await planOf(productById.text, productById.values({ id: randomUUID() })), /products_pkey/)
    assert.match(await planOf(productBySlug.text, productBySlug.values({ slug: 'x' })), /products_slug_key/)
  })
})
