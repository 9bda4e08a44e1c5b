import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../testkit/database.ts'
import { seedSite } from './seed.ts'
import { listingsOf } from './shop.ts'

const plan = { authors: 60, pieces: 200, rng: 7, until: new Date('2026-06-01T12:00:00Z') }

async function shopOf(rng: number) {
  const { url, admin } = await testDatabase()
  await seedSite(url, { ...plan, rng })
  const { rows } = await admin.query(
    `select p.*, a.slug as seller from pub.products p join pub.authors a on a.id = p.author_id order by a.slug, p.position`,
  )
  return { admin, rows }
}

const { admin, rows } = await shopOf(7)

test('about one author in four sells one to three things', () => {
  const sellers = Map.groupBy(rows, ({ seller }) => seller)
  assert.ok(sellers.size >= 6 && sellers.size <= 27, `${sellers.size} of 60`)
  for (const [seller, sold] of sellers) {
    const places = sold.map(({ position }) => position)
    assert.deepEqual(places, [1, 2, 3].slice(0, sold.length), seller)
  }
})

test('what is sold has believable words, a price, and leads to nobody', () => {
  for (const { name, summary, description, price, currency, category, payment_url } of rows) {
    for (const text of [name, summary, description]) assert.doesNotMatch(text, /[{}]|undefined| {2}/)
    assert.match(`${price} ${currency}`, /^\d+\.00 (EUR|USD|GBP)$/)
    assert.ok(category.length > 2)
    assert.match(payment_url, /^https:\/\/pay\.example\.com\//)
  }
  assert.ok(rows.some(({ related }) => related.length > 0))
})

test('the same site has the same shop', async () => {
  const again = await shopOf(7)
  assert.deepEqual(again.rows, rows)
})

test('both schemas and the audit log agree', async () => {
  const { rows: audited } = await admin.query(
    `select p.id from app.products a join pub.products p using (id) join app.product_audit t on t.product_id = a.id
       join app.product_slugs s on s.product_id = a.id
      where a.status = 'listed' and a.listed_revision = a.revision and (a.name, a.price, a.slug, a.position, a.related)
            = (p.name, p.price, p.slug, p.position, p.related) and s.slug = a.slug and t.act = 'list'`,
  )
  assert.equal(audited.length, rows.length)
})

test('no two of ten thousand authors sell at the same address', () => {
  const large = { ...plan, authors: 10_000 }
  const slugs = Array.from({ length: large.authors }, (_, index) =>
    listingsOf(large, index).map(({ slug }) => slug),
  ).flat()
  assert.ok(slugs.length > 4_000)
  assert.equal(new Set(slugs).size, slugs.length)
})
