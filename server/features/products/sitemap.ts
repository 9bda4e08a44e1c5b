import type { ReadContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { mostInPart, partsFor, spanOf } from '#platform/db/spans.ts'
import { statement } from '#platform/db/statement.ts'

/** All listings in parts (platform/db/spans.ts). */

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

const perPage = 2_000

export async function* productsOfPart({ db, urls }: ReadContext, digits: string): AsyncGenerator<ProductEntry[]> {
  const span = spanOf(digits)
  if (!span) return
  let { after } = span
  for (let left = mostInPart; left > 0; left -= perPage) {
    const limit = Math.min(perPage, left)
    const rows = await db.query(page, { after, to: span.to, limit })
    if (rows.length > 0) yield rows.map((row) => ({ url: urls.product(row.slug), modifiedAt: row.updated_at }))
    if (rows.length < limit) return
    after = rows.at(-1)!.id
  }
}
