import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { withholdProduct } from '../../server/features/products/publish.ts'
import type { DeskProduct, DeskShop } from '../../server/features/products/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter, makeKey, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** A writer's shop at the desk: the only surface that can make a listing public. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })

const notebook = { name: 'A notebook', payment_url: 'https://pay.example/notebook' }
interface Seller {
  readonly writer: MadeWriter
  readonly desk: Desk
  begin(given?: object): Promise<DeskProduct>
  save(id: string, changes: object, ifMatch?: string): ReturnType<Desk['ask']>
  act(act: 'publish' | 'update' | 'withdraw', id: string, revision?: number): ReturnType<Desk['ask']>
}

async function seller(slug = `seller-${randomUUID().slice(0, 8)}`): Promise<Seller> {
  const writer = await makeWriter(admin, { slug, shown: false })
  const desk = deskOf(app, writer)
  return {
    writer,
    desk,
    async begin(given = {}) {
      const answer = await desk.ask('POST', 'products', { ...notebook, ...given })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().product
    },
    save: (id, changes, ifMatch = '*') => desk.ask('PATCH', `products/${id}`, changes, { 'if-match': ifMatch }),
    act: (act, id, revision = 1) =>
      desk.ask('POST', `products/${id}/${act}`, act === 'withdraw' ? undefined : { revision }),
  }
}

const withhold = (slug: string, reason: string | null) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    return withholdProduct(client, slug, reason)
  })

const read = (id: string) => app.inject(`/api/public/products/${id}`)
const inPublic = async (id: string) => (await read(id)).json().product

describe('the life of a listing', () => {
  test('it is private until its writer lists it, and gone at once when they withdraw it', async () => {
    const { begin, act, writer } = await seller('ada')
    const { id, ...draft } = await begin({
      price: { amount: '19.5', currency: 'EUR' },
      category: ' Paper \u202e goods ',
    })
    assert.deepEqual(
      [draft.status, draft.url, draft.revision, draft.price, draft.category, draft.listed_at],
      ['draft', null, 1, { amount: '19.50', currency: 'EUR' }, 'Paper goods', null],
    )
    assert.equal((await read(id)).statusCode, 404)
    assert.equal((await app.inject(`/author/${writer.slug}`)).statusCode, 404)

    const listed = (await act('publish', id)).json().product
    assert.deepEqual([listed.status, listed.url], ['listed', 'https://site.test/shop/a-notebook'])
    assert.equal((await inPublic(id)).name, 'A notebook')
    assert.equal((await app.inject(`/author/${writer.slug}`)).statusCode, 200)

    const withdrawn = (await act('withdraw', id)).json().product
    assert.deepEqual([withdrawn.status, withdrawn.url, withdrawn.listed_at], ['draft', null, listed.listed_at])
    assert.equal((await read(id)).statusCode, 404)

    const again = (await act('publish', id)).json().product
    assert.deepEqual([again.url, again.listed_at], [listed.url, listed.listed_at])
  })

  test('editing what is listed changes nothing in public until Update', async () => {
    const { begin, act, save } = await seller()
    const { id } = await begin()
    await act('publish', id)
    const saved = (await save(id, { name: 'A better notebook', price: { amount: '20', currency: 'USD' } })).json()
      .product
    assert.deepEqual([saved.revision, saved.status, saved.has_unpublished_changes], [2, 'listed', true])
    assert.deepEqual([(await inPublic(id)).name, (await inPublic(id)).price], ['A notebook', null])

    const stale = await act('update', id, 1)
    assert.deepEqual([stale.statusCode, stale.json().reason], [412, 'precondition_failed'])
    assert.equal((await inPublic(id)).name, 'A notebook')

    const updated = (await act('update', id, 2)).json().product
    assert.equal(updated.has_unpublished_changes, false)
    const { name, price, url: address } = await inPublic(id)
    assert.deepEqual([name, price, address], ['A better notebook', { amount: '20.00', currency: 'USD' }, updated.url])
    assert.match(address, /\/shop\/a-notebook(-\w+)?$/, 'the address never moves')
  })

  test('what was not seen is not listed', async () => {
    const { begin, act, save } = await seller()
    const { id } = await begin()
    await save(id, { name: 'Another' })
    assert.equal((await act('publish', id, 1)).statusCode, 412)
    assert.equal((await act('publish', id, 3)).statusCode, 412)
    assert.equal((await read(id)).statusCode, 404)
    assert.equal((await act('publish', id, 2)).statusCode, 200)
  })

  test('each act is refused from the state it does not fit', async () => {
    const { begin, act, desk } = await seller()
    const { id } = await begin()
    for (const wrong of ['update', 'withdraw'] as const) {
      const answer = await act(wrong, id)
      assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'illegal_transition'])
    }
    await act('publish', id)
    assert.equal((await act('publish', id)).statusCode, 409)
    assert.equal((await desk.ask('DELETE', `products/${id}`)).statusCode, 409)
    await act('withdraw', id)
    assert.equal((await desk.ask('DELETE', `products/${id}`)).statusCode, 204)
    assert.equal((await desk.ask('GET', `products/${id}`)).statusCode, 404)
  })

  test('an address is given once in the site, and never again', async () => {
    const [one, two] = [await seller(), await seller()]
    const first = await one.begin({ name: 'The only lamp' })
    await one.act('publish', first.id)
    await one.act('withdraw', first.id)
    await one.desk.ask('DELETE', `products/${first.id}`)
    const second = await two.begin({ name: 'The only lamp' })
    assert.equal((await two.act('publish', second.id)).json().product.url, 'https://site.test/shop/the-only-lamp-2')
    assert.equal((await app.inject('/shop/the-only-lamp')).statusCode, 404)
  })

  test('one that the site took out says why at the desk, and is not listed until the site allows it', async () => {
    const { begin, act, desk } = await seller()
    const { id } = await begin({ name: 'Snake oil' })
    const shown = async () => (await desk.ask('GET', `products/${id}`)).json().product
    await act('publish', id)
    assert.equal(await withhold('snake-oil', 'It heals nothing.'), true)
    assert.equal((await read(id)).statusCode, 404)
    const { status, url, withheld } = await shown()
    assert.deepEqual([status, url, withheld], ['draft', null, 'It heals nothing.'])
    const refused = await act('publish', id)
    assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'illegal_transition'])
    assert.match(refused.json().detail, /It heals nothing\. Write to the site/)
    assert.equal((await act('update', id)).statusCode, 409)

    await withhold('snake-oil', null)
    assert.equal((await shown()).withheld, null)
    assert.equal((await act('publish', id)).json().product.url, 'https://site.test/shop/snake-oil')
  })

  test('fifty first listings a day are the most, also of what is deleted meanwhile; what had its address goes on', async () => {
    const { begin, act, desk, writer } = await seller()
    const { id: old } = await begin({ name: 'There before' })
    await act('publish', old)
    await act('withdraw', old)
    await admin.query(
      "insert into app.product_slugs (slug, product_id, writer_id) select 'taken-' || n, gen_random_uuid(), $1 from generate_series(1, 49) n",
      [writer.id],
    )
    const { id } = await begin({ name: 'One too many' })
    const refused = await act('publish', id)
    assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'limit_reached'])
    assert.match(refused.json().detail, /List this one tomorrow/)
    assert.equal((await act('publish', old)).statusCode, 200)
    await admin.query("update app.product_slugs set kept_at = now() - interval '25 hours' where slug = 'taken-1'")
    assert.equal((await act('publish', id)).statusCode, 200)
    assert.equal((await desk.ask('GET', 'products')).json().count, 2)
  })

  test('related writing that is published again is an unpublished change, and nothing else is', async () => {
    const { begin, act, desk, writer } = await seller()
    const piece = await makePiece(admin, writer, { headline: 'There and back' })
    const { id } = await begin({ related: [piece] })
    const isChanged = async () => (await desk.ask('GET', `products/${id}`)).json().product.has_unpublished_changes
    await act('publish', id)
    assert.equal(await isChanged(), false)
    await desk.act('unpublish', piece)
    // Readers do not see it, with or without an update.
    assert.equal(await isChanged(), false)
    await act('update', id)
    assert.equal(await isChanged(), false)
    assert.equal((await desk.act('publish', piece)).statusCode, 200)
    assert.equal(await isChanged(), true)
    assert.equal((await inPublic(id)).related_pieces.length, 0)
    assert.equal((await act('update', id)).json().product.has_unpublished_changes, false)
    assert.equal((await inPublic(id)).related_pieces.length, 1)
  })

  test('caches are told of every act that readers could see', async () => {
    const { begin, act, save, desk, writer } = await seller()
    const tags = async () => {
      const { rows } = await admin.query("delete from jobs.job where name = 'cache.purge' returning data")
      return rows.map(({ data }) => data.tags)
    }
    const { id } = await begin()
    await tags()
    await save(id, { summary: 'Ruled.' })
    assert.deepEqual(await tags(), [])
    const all = [`product-${id}`, `author-${writer.slug}`, 'products']
    for (const step of ['publish', 'update', 'withdraw'] as const) {
      assert.equal((await act(step, id, 2)).statusCode, 200)
      assert.deepEqual(await tags(), [all], step)
    }
    await desk.ask('PUT', 'products/order', { ids: [id] })
    assert.deepEqual(await tags(), [[`author-${writer.slug}`]])
  })
})

test('a new name or address of the seller, and related writing that goes away, purge what shows them', async () => {
  const { begin, act, desk, writer } = await seller()
  const piece = await makePiece(admin, writer, { headline: 'About it' })
  const { id } = await begin({ name: 'Tagged', related: [piece] })
  await act('publish', id)
  const paths = [
    `/api/public/products/${id}`,
    '/api/public/products/search',
    '/shop',
    '/shop/tagged',
    '/llms-products.txt',
  ]
  const keys = await Promise.all(
    paths.map(async (path) => String((await app.inject(path)).headers['surrogate-key']).split(' ')),
  )
  const purged = async () => {
    const { rows } = await admin.query("delete from jobs.job where name = 'cache.purge' returning data")
    const tags = new Set(rows.flatMap(({ data }) => data.tags))
    return paths.filter((_, at) => keys[at]!.some((key) => tags.has(key)))
  }
  await purged()
  assert.equal((await desk.act('unpublish', piece)).statusCode, 200)
  assert.deepEqual(await purged(), paths)
  assert.equal((await desk.ask('PATCH', 'profile', { name: 'Another Name' })).statusCode, 200)
  assert.deepEqual(await purged(), paths)
  assert.equal((await desk.ask('PUT', 'profile/slug', { slug: `${writer.slug}-moved` })).statusCode, 200)
  assert.deepEqual(await purged(), paths)
  const { seller: renamed } = await inPublic(id)
  assert.deepEqual([renamed.name, renamed.slug], ['Another Name', `${writer.slug}-moved`])
})

describe('saving', () => {
  test('the same id begins one listing', async () => {
    const { desk, writer } = await seller()
    const id = randomUUID()
    const first = await desk.ask('POST', `products?id=${id}`, notebook)
    const again = await desk.ask('POST', `products?id=${id}`, { ...notebook, name: 'Never kept' })
    assert.deepEqual([first.statusCode, again.statusCode], [201, 201])
    assert.equal(again.json().product.name, 'A notebook')
    const theirs = await (await seller()).desk.ask('POST', `products?id=${id}`, notebook)
    assert.equal(theirs.statusCode, 404)
    const { rows } = await admin.query('select writer_id from app.products where id = $1', [id])
    assert.deepEqual(rows, [{ writer_id: writer.id }])
  })

  test('nobody’s change is lost: If-Match is asked for, and must fit', async () => {
    const { begin, desk, save } = await seller()
    const { id } = await begin()
    const bare = await desk.ask('PATCH', `products/${id}`, { name: 'X' })
    assert.deepEqual([bare.statusCode, bare.json().reason], [428, 'precondition_required'])
    const saved = await save(id, { name: 'First' }, '"1"')
    assert.deepEqual([saved.statusCode, saved.headers.etag], [200, '"2"'])
    const late = await save(id, { name: 'Second' }, '"1"')
    assert.deepEqual([late.statusCode, late.json().detail.split(':')[0]], [412, 'The listing has changed since'])
    const nothing = await save(id, { name: 'First' }, '"2"')
    assert.equal(nothing.json().product.revision, 2, 'a save that changes nothing is none')
  })

  test('every problem is named at once, with its place', async () => {
    const { desk } = await seller()
    const pointers = async (body: object) => {
      const answer = await desk.ask('POST', 'products', body)
      assert.equal(answer.statusCode, 400, answer.body)
      return answer.json().errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    assert.deepEqual(await pointers({}), ['/name', '/payment_url'])
    assert.deepEqual(
      await pointers({
        name: '\u200b ',
        summary: 'x'.repeat(301),
        description: 'x'.repeat(10_001),
        price: { amount: '-1', currency: 'eur' },
        category: 'x'.repeat(41),
        image: 'no hash',
        payment_url: 'javascript:alert(1)',
        related: ['no id'],
      }),
      [
        '/name',
        '/payment_url',
        '/summary',
        '/description',
        '/price/amount',
        '/price/currency',
        '/category',
        '/image',
        '/related/0',
      ],
    )
    const unsafe = { payment_url: 'http://pay.example/', price: { amount: '1', currency: 'ZZZ' } }
    assert.deepEqual(await pointers({ name: '', ...unsafe }), ['/name', '/payment_url', '/price/currency'])
    const { errors } = (await desk.ask('POST', 'products', { ...notebook, ...unsafe })).json()
    assert.deepEqual(
      errors.map(({ code, detail }: { code: string; detail: string }) => [code, detail]),
      [
        [
          'not_an_address',
          'must be an address that begins with https://, of at most 2048 characters, without a user name',
        ],
        ['unknown_value', 'must be a code of ISO 4217, such as EUR or USD'],
      ],
    )
    assert.deepEqual(await pointers({ ...notebook, image: 'a'.repeat(64) }), ['/image'])
    assert.deepEqual(await pointers({ ...notebook, related: [randomUUID()] }), ['/related/0'])
    for (const amount of ['', '1.234', '1e3', '12345678901', ' 1', '1,5'])
      assert.deepEqual(await pointers({ ...notebook, price: { amount, currency: 'EUR' } }), ['/price/amount'], amount)
  })

  test('hostile text is made clean, and what says nothing is nothing', async () => {
    const { begin } = await seller()
    const saved = await begin({
      name: ' A\u202e <b>note</b>\u200bbook\n& more ',
      summary: '\u2066Two\r\n  lines\u2069',
      description: '\u202eOne\r\n\r\n\r\n\r\nTwo\u{e0041}\u200b',
      category: '\u2800 ',
      image_alt: '',
    })
    assert.deepEqual(
      [saved.name, saved.summary, saved.description, saved.category, saved.image_alt],
      ['A <b>note</b>book & more', 'Two lines', 'One\n\nTwo', null, null],
    )
  })

  test('related writing is one’s own, in order, with what is public of it', async () => {
    const { begin, save, writer } = await seller()
    const pieces = [
      await makePiece(admin, writer, { headline: 'One' }),
      await makePiece(admin, writer, { headline: 'Two' }),
    ]
    const { id, related } = await begin({ related: [...pieces].reverse() })
    assert.deepEqual(
      related.map(({ headline }) => headline),
      ['Two', 'One'],
    )
    await unpublish(admin, writer, pieces[0]!)
    const { related: later } = (await save(id, { category: 'Paper' })).json().product as DeskProduct
    assert.deepEqual(
      later.map(({ is_public }) => is_public),
      [true, false],
    )
    const otherSeller = await seller()
    const answer = await otherSeller.desk.ask('POST', 'products', { ...notebook, related: pieces })
    assert.deepEqual([answer.statusCode, answer.json().errors.length], [400, 2])
  })

  test('two hundred listings are the most', async () => {
    const { writer, desk } = await seller()
    await admin.query(
      "insert into app.products (writer_id, name, payment_url) select $1, 'n', 'https://a.test' from generate_series(1, 200)",
      [writer.id],
    )
    const answer = await desk.ask('POST', 'products', notebook)
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'])
  })
})

describe('the shop whole', () => {
  const names = async (desk: Desk) =>
    (await desk.ask('GET', 'products')).json<DeskShop>().products.map(({ name }) => name)

  test('lists one’s own in the order they were given, and in the order their writer gives them', async () => {
    const { begin, desk, act, writer } = await seller()
    const made: DeskProduct[] = []
    for (const name of ['One', 'Two', 'Three']) made.push(await begin({ name }))
    assert.deepEqual(await names(desk), ['One', 'Two', 'Three'])
    for (const { id } of made) await act('publish', id)
    const ids = [made[2]!, made[0]!, made[1]!].map(({ id }) => id)
    const answer = await desk.ask('PUT', 'products/order', { ids })
    assert.deepEqual(
      answer.json<DeskShop>().products.map(({ name }) => name),
      ['Three', 'One', 'Two'],
    )
    assert.deepEqual(await names(desk), ['Three', 'One', 'Two'])
    const page = (await app.inject(`/author/${writer.slug}`)).body
    assert.ok(page.indexOf('>Three<') < page.indexOf('>One<') && page.indexOf('>One<') < page.indexOf('>Two<'))

    for (const wrong of [ids.slice(1), [...ids, randomUUID()], []]) {
      const refused = await desk.ask('PUT', 'products/order', { ids: wrong })
      assert.deepEqual([refused.statusCode, refused.json().reason], [400, 'validation_failed'])
    }
  })

  test('an empty shop is a list of none', async () => {
    const { desk } = await seller()
    assert.deepEqual((await desk.ask('GET', 'products')).json(), { ok: true, count: 0, products: [] })
  })

  test('nobody else reads, changes or lists it, and a key does nothing there', async () => {
    const [owner, otherSeller] = [await seller(), await seller()]
    const { id } = await owner.begin()
    assert.deepEqual(await names(otherSeller.desk), [])
    for (const answer of [
      await otherSeller.desk.ask('GET', `products/${id}`),
      await otherSeller.save(id, { name: 'X' }),
      await otherSeller.act('publish', id),
      await otherSeller.act('withdraw', id),
      await otherSeller.desk.ask('DELETE', `products/${id}`),
    ])
      assert.equal(answer.statusCode, 404)
    const { key } = await makeKey(admin, owner.writer)
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' }
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', `/${id}/publish`],
    ] as const) {
      const answer = await app.inject({
        method,
        url: `/desk/api/products${path}`,
        headers,
        payload: { ...notebook, revision: 1 },
      })
      assert.equal(answer.statusCode, 400, `${method} ${path}`)
    }
    const elsewhere = await owner.desk.ask(
      'POST',
      `products/${id}/publish`,
      { revision: 1 },
      { 'sec-fetch-site': 'cross-site' },
    )
    assert.equal(elsewhere.statusCode, 403)
    assert.equal((await read(id)).statusCode, 404)
  })
})

describe('its picture', () => {
  let colours = 500
  const upload = async (writer: MadeWriter) => {
    colours += 1
    return uploaderOf(app, writer).upload(await photograph(colours))
  }
  const statusOf = async (hash: string) => (await app.inject(`/media/${hash}`)).statusCode

  test('is public exactly while the listing that shows it is', async () => {
    const { begin, act, save, writer } = await seller()
    const [first, second] = [await upload(writer), await upload(writer)]
    const { id } = await begin({ image: first, image_alt: 'A notebook, open' })
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 404])
    await act('publish', id)
    assert.deepEqual([await statusOf(first), (await inPublic(id)).image_url], [200, `https://site.test/media/${first}`])
    await save(id, { image: second })
    assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 404])
    await act('update', id, 2)
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200])
    await act('withdraw', id)
    assert.equal(await statusOf(second), 404)
  })

  test('is kept while a draft names it, and swept when none does', async () => {
    const { begin, save, desk, writer } = await seller()
    const [kept, dropped] = [await upload(writer), await upload(writer)]
    const { id } = await begin({ image: dropped })
    await save(id, { image: kept })
    await admin.query("update app.media set created_at = now() - interval '8 days' where writer_id = $1", [writer.id])
    await admin.query('select app.sweep_media()')
    const hashes = async () => (await admin.query('select hash from app.media where writer_id = $1', [writer.id])).rows
    assert.deepEqual(await hashes(), [{ hash: kept }])
    await desk.ask('DELETE', `products/${id}`)
    await admin.query('select app.sweep_media()')
    assert.deepEqual(await hashes(), [])
  })

  test('of somebody else is refused', async () => {
    const [one, two] = [await seller(), await seller()]
    const answer = await two.desk.ask('POST', 'products', { ...notebook, image: await upload(one.writer) })
    assert.deepEqual([answer.statusCode, answer.json().errors[0].pointer], [400, '/image'])
  })
})

test('whoever leaves takes their shop with them, and nobody gets its addresses', async () => {
  const { begin, act, desk, writer } = await seller()
  const { id } = await begin({ name: 'Left behind' })
  await act('publish', id)
  await begin({ name: 'A draft' })
  const { id: withheld } = await begin({ name: 'Held back' })
  await act('publish', withheld)
  await withhold('held-back', 'What was said of them.')
  const gone = await desk.ask('DELETE', 'account', { name: 'A Writer' })
  assert.equal(gone.statusCode, 202, gone.body)
  await deleteNow(admin, url, writer.accountId)
  assert.equal((await read(id)).statusCode, 404)
  assert.equal((await app.inject('/shop/left-behind')).statusCode, 404)
  const { rows } = await admin.query('select count(*)::integer as left from app.products where writer_id = $1', [
    writer.id,
  ])
  assert.deepEqual(rows, [{ left: 0 }])
  const trail = await admin.query('select act, note from app.product_audit where product_id = $1 order by id', [
    withheld,
  ])
  assert.deepEqual(trail.rows, [
    { act: 'list', note: null },
    { act: 'withhold', note: null },
  ])
  const heir = await seller()
  const { id: next } = await heir.begin({ name: 'Left behind' })
  assert.equal((await heir.act('publish', next)).json().product.url, 'https://site.test/shop/left-behind-2')
})
