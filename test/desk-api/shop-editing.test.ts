import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { DeskProduct, DeskShop } from '../../server/features/products/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { type Desk, makeSeller, notebook } from '../../testkit/desk.ts'
import { type MadeWriter, makeKey, makePiece, unpublish } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** How a writer edits the listings of their shop, its order and its pictures. */

const { admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const seller = (slug?: string) => makeSeller(app, admin, slug)
const read = (id: string) => app.inject(`/api/public/products/${id}`)
const inPublic = async (id: string) => (await read(id)).json().product

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
    assert.deepEqual(
      [late.statusCode, late.json().detail.split('.')[0]],
      [412, 'This listing has changed and is now at revision 2'],
    )
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
        ['not_an_address', 'must be a URL that starts with https://, of at most 2048 characters, without a user name'],
        ['unknown_value', 'must be an ISO 4217 currency code, such as EUR or USD'],
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
