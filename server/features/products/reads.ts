import { cutPage, latest, placeOf } from '#features/pieces/keyset.ts'
import type { ReadContext } from '#platform/context.ts'
import { isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { presentProduct, presentProductHit } from './present.ts'
import {
  type FoundPlace,
  findRows,
  newestRows,
  newestRowsOf,
  oneProduct,
  productAt,
  type Site,
  sites,
} from './queries.ts'
import {
  type OneProduct,
  type ProductFound,
  type ProductHits,
  productSearchLimits,
  type SearchProducts,
} from './schema.ts'

/** By its id. The same words for what never was, what is a draft and what was withdrawn. */
export async function getProduct({ db, urls }: ReadContext, { id }: OneProduct): Promise<ProductFound> {
  const uuid = id.toLowerCase()
  const row = isUuid(uuid) ? await oneProduct(db, uuid) : undefined
  if (!row) throw noSuchProduct()
  return { ok: true, product: presentProduct(row, urls) }
}

/** By the last part of its address. */
export async function getProductAt({ db, urls }: ReadContext, slug: string): Promise<ProductFound> {
  const row = await productAt(db, slug)
  if (!row) throw noSuchProduct()
  return { ok: true, product: presentProduct(row, urls) }
}

const noSuchProduct = () => notFound('No listing of the shop has this id.')

/** Name matches first, then matches elsewhere, the newest first within each; without a term simply the newest. */
export async function searchProducts(reads: ReadContext, wanted: SearchProducts): Promise<ProductHits> {
  return wanted.q === undefined ? newestProducts(reads, wanted) : foundProducts(reads, { ...wanted, q: wanted.q })
}

async function newestProducts(
  { db, urls }: ReadContext,
  { seller, limit = productSearchLimits.default, cursor }: SearchProducts,
): Promise<ProductHits> {
  const after = placeOf('shop', cursor, latest)
  const rows = await (seller === undefined
    ? newestRows(db, after, limit + 1)
    : newestRowsOf(db, seller, after, limit + 1))
  const { page, next_cursor } = cutPage('shop', rows, limit, (row) => row.listed_at)
  const results = page.map((row) => presentProductHit(row, urls))
  return { ok: true, query: null, count: results.length, results, next_cursor }
}

async function foundProducts(
  { searchDb, urls }: ReadContext,
  { q, seller, limit = productSearchLimits.default, cursor }: SearchProducts & { q: string },
): Promise<ProductHits> {
  const after = cursor === undefined ? undefined : readPlace(cursor)
  const rows = await findRows(searchDb, { term: fold(q), seller, limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    ok: true,
    query: q,
    count: page.length,
    results: page.map((row) => presentProductHit(row, urls)),
    next_cursor: last ? writeCursor('products', [last.site, last.listed_at.getTime(), last.id]) : null,
  }
}

function readPlace(cursor: string): FoundPlace {
  const [site, time, id] = readCursor<[Site, number, string]>(
    'products',
    cursor,
    (parts) => parts.length === 3 && sites.includes(parts[0] as Site) && isTime(parts[1]) && isUuid(parts[2]),
  )
  return { site, time: new Date(time), id }
}
