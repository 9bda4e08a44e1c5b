import type { ReadContext } from '#features/context.ts'
import type { Database } from '#platform/db/database.ts'
import { partsFor, rowsOfPart } from '#platform/db/id-ranges.ts'
import { statement } from '#platform/db/statement.ts'

/** All listings, divided into sitemap files (platform/db/id-ranges.ts). */

const count = statement.raw<object, { products: number }>(
  'sitemap_products_count',
  'select count(*)::integer as products from pub.products',
  [],
)

export async function productParts(db: Database): Promise<string[]> {
  const [found] = await db.query(count, {})
  return partsFor(found?.products ?? 0)
}

interface Row {
  readonly id: string
  readonly slug: string
  readonly updated_at: Date
}

const page = statement.raw<{ after: string; to: string; limit: number }, Row>(
  'sitemap_products',
  'select id, slug, updated_at from pub.products where id > $1::uuid and id <= $2::uuid order by id limit $3',
  ['after', 'to', 'limit'],
)

export interface ProductEntry {
  readonly url: string
  readonly modifiedAt: Date
}

export async function* productsOfPart({ db, urls }: ReadContext, digits: string): AsyncGenerator<ProductEntry[]> {
  for await (const rows of rowsOfPart(digits, (part) => db.query(page, part)))
    yield rows.map((row) => ({ url: urls.product(row.slug), modifiedAt: row.updated_at }))
}
