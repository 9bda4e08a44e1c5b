import type pg from 'pg'
import { derivedFrom } from '#features/products/listing.ts'
import { transactionAs } from './bulk.ts'
import { copyRows, insertRows } from './copy.ts'
import { writeListing } from './prose.ts'
import { randomFrom } from './random.ts'
import { authorAt, type SitePlan } from './site-plan.ts'

/** The shop of a seeded site: one author in four sells up to three things, and the first always does. */

const shopStream = 3_000_000_019
const batchSize = 1_000

const columns = {
  id: 'uuid',
  writer_id: 'uuid',
  status: 'text',
  name: 'text',
  summary: 'text',
  description: 'text',
  price: 'numeric',
  currency: 'text',
  category: 'text',
  payment_url: 'text',
  related: 'uuid[]',
  position: 'integer',
  listed_revision: 'integer',
  slug: 'text',
  first_listed_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

interface SeededListing {
  readonly id: string
  readonly writerId: string
  readonly position: number
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly price: string
  readonly currency: string
  readonly category: string
  readonly paymentUrl: string
  readonly slug: string
  readonly nameFolded: string
  readonly searchText: string
  readonly listedAt: Date
}

function listingsOf(plan: SitePlan, index: number): SeededListing[] {
  const random = randomFrom(plan.rng, shopStream + index)
  if (index > 0 && !random.chance(0.25)) return []
  const { id: writerId, slug: seller } = authorAt(plan, index)
  return Array.from({ length: 1 + random.integer(3) }, (_, at) => {
    const id = random.uuid()
    const listing = writeListing(random)
    const derived = derivedFrom({ ...listing, image: null, image_alt: null, payment_url: '', related: [] })
    const daysAgo = random.integer(400)
    return {
      ...listing,
      ...derived,
      // Unique without a query, as for pieces.
      slug: `${derived.slug}-${index.toString(36)}${at || ''}`,
      id,
      writerId,
      position: at + 1,
      // Reserved names (RFC 2606), so that nobody is paid by mistake.
      paymentUrl: `https://pay.example.com/${seller}/${at + 1}`,
      listedAt: new Date(plan.until.getTime() - daysAgo * 86_400_000 - random.integer(86_400_000)),
    }
  })
}

export async function loadShop(client: pg.ClientBase, plan: SitePlan): Promise<number> {
  let loaded = 0
  for (let start = 0; start < plan.authors; start += batchSize) {
    const length = Math.min(batchSize, plan.authors - start)
    const sold = Array.from({ length }, (_, offset) => listingsOf(plan, start + offset)).flat()
    await loadListings(client, sold)
    loaded += sold.length
  }
  return loaded
}

/** Writes the rows that the desk's functions would, which a seed cannot call without a session. */
async function loadListings(client: pg.ClientBase, sold: readonly SeededListing[]): Promise<void> {
  if (sold.length === 0) return
  const related = await newestPieces(client, [...new Set(sold.map(({ writerId }) => writerId))])
  await transactionAs(client, 'svc_publisher', async () => {
    await insertRows(
      client,
      'app.products',
      columns,
      sold.map((one) => [
        one.id,
        one.writerId,
        'listed',
        one.name,
        one.summary,
        one.description,
        one.price,
        one.currency,
        one.category,
        one.paymentUrl,
        (related.get(one.writerId) ?? []).slice(0, one.position),
        one.position,
        1,
        one.slug,
        one.listedAt,
        one.listedAt,
        one.listedAt,
      ]),
    )
    await copyRows(
      client,
      'app.product_slugs (slug, product_id, writer_id, kept_at)',
      sold.map(({ slug, id, writerId, listedAt }) => [slug, id, writerId, listedAt]),
    )
    await client.query(
      `select app.copy_product(p, p.slug, p.first_listed_at, given.name_folded, given.search_text)
         from app.products p join unnest($1::uuid[], $2::text[], $3::text[]) given(id, name_folded, search_text) using (id)`,
      [sold.map(({ id }) => id), sold.map(({ nameFolded }) => nameFolded), sold.map(({ searchText }) => searchText)],
    )
    await client.query('update pub.products set updated_at = listed_at where id = any($1)', [sold.map(({ id }) => id)])
    // COPY does not support row security, which applies to everyone but the owner here.
    await client.query('set local role svc_owner')
    await copyRows(
      client,
      'app.product_audit (at, act, product_id, writer_id, revision, from_status, to_status)',
      sold.map(({ listedAt, id, writerId }) => [listedAt, 'list', id, writerId, 1, 'draft', 'listed']),
    )
  })
}

async function newestPieces(client: pg.ClientBase, writers: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ writer: string; pieces: string[] }>(
    `select writer, array(select p.id from pub.pieces p where p.author_id = writer
                           order by p.published_at desc, p.id desc limit 3) as pieces
       from unnest($1::uuid[]) writer`,
    [writers],
  )
  return new Map(rows.map(({ writer, pieces }) => [writer, pieces]))
}
