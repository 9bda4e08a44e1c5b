import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withholdProduct } from '../../server/features/products/publish.ts'
import { testSite } from '../../testkit/app.ts'
import { makeSeller } from '../../testkit/desk.ts'
import { inTransaction, makePiece } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { mediaFolder } from '../../testkit/media.ts'

/** A writer's shop at the desk: the only surface that can make a listing public. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })

const seller = (slug?: string) => makeSeller(app, admin, slug)

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
    assert.match(refused.json().detail, /“It heals nothing\.?” Contact the site/)
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
    assert.match(refused.json().detail, /saved as a draft; add it tomorrow/)
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
