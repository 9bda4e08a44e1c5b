import type { ReadContext } from '#features/context.ts'
import { cutPage, latest, parseCursor } from '#features/pieces/keyset.ts'
import type { Urls } from '#features/urls.ts'
import { cutRows, isTime, isUuid, readCursor, writeCursor } from '#platform/cursor.ts'
import { notFound } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import {
  catalogueRows,
  findRows,
  newestRows,
  newestRowsOf,
  oneProduct,
  type ProductRow,
  productAt,
  rowsInOrder,
  type SearchCursor,
  type Site,
  sites,
  type WholeProductRow,
} from './queries.ts'
import {
  type OneProduct,
  type Product,
  type ProductFound,
  type ProductHit,
  type ProductHits,
  productSearchLimits,
  type SearchProducts,
} from './schema.ts'

/** Returns the same 404 for drafts, withdrawn and unknown ids, so that their existence does not leak. */
export async function getProduct({ db, urls }: ReadContext, { id }: OneProduct): Promise<ProductFound> {
  const uuid = id.toLowerCase()
  const row = isUuid(uuid) ? await oneProduct(db, uuid) : undefined
  if (!row) throw noSuchProduct()
  return { ok: true, product: presentProduct(row, urls) }
}

/** By slug. */
export async function getProductAt({ db, urls }: ReadContext, slug: string): Promise<ProductFound> {
  const row = await productAt(db, slug)
  if (!row) throw noSuchProduct()
  return { ok: true, product: presentProduct(row, urls) }
}

const noSuchProduct = () => notFound('No public listing has this id.')

/** Matches in the name first, then elsewhere, newest first in each; without a term, the newest. */
export async function searchProducts(reads: ReadContext, query: SearchProducts): Promise<ProductHits> {
  return query.q === undefined ? newestProducts(reads, query) : matchingProducts(reads, { ...query, q: query.q })
}

async function newestProducts(
  { db, urls }: ReadContext,
  { seller, limit = productSearchLimits.default, cursor }: SearchProducts,
): Promise<ProductHits> {
  const after = parseCursor('shop', cursor, latest)
  const rows = await (seller === undefined
    ? newestRows(db, after, limit + 1)
    : newestRowsOf(db, seller, after, limit + 1))
  const { page, next_cursor } = cutPage('shop', rows, limit, (row) => row.listed_at)
  const results = page.map((row) => presentProductHit(row, urls))
  return { ok: true, query: null, count: results.length, results, next_cursor }
}

async function matchingProducts(
  { searchDb, urls }: ReadContext,
  { q, seller, limit = productSearchLimits.default, cursor }: SearchProducts & { q: string },
): Promise<ProductHits> {
  const after = cursor === undefined ? undefined : readSearchCursor(cursor)
  const rows = await findRows(searchDb, { term: fold(q), seller, limit: limit + 1, after })
  const { page, next_cursor } = cutRows('products', rows, limit, (last) => [
    last.site,
    last.listed_at.getTime(),
    last.id,
  ])
  const results = page.map((row) => presentProductHit(row, urls))
  return { ok: true, query: q, count: results.length, results, next_cursor }
}

function readSearchCursor(cursor: string): SearchCursor {
  const [site, time, id] = readCursor<[Site, number, string]>(
    'products',
    cursor,
    (parts) => parts.length === 3 && sites.includes(parts[0] as Site) && isTime(parts[1]) && isUuid(parts[2]),
  )
  return { site, time: new Date(time), id }
}

function presentProductHit(row: ProductRow, urls: Urls): ProductHit {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    summary: row.summary,
    price: presentPrice(row),
    category: row.category,
    seller: {
      name: row.author_name,
      slug: row.author_slug,
      url: urls.profile(row.author_slug),
      identity_verified: row.author_verified,
    },
    image_url: row.image && urls.media(row.image),
    url: urls.product(row.slug),
    payment_url: row.payment_url,
  }
}

function presentProduct(row: WholeProductRow, urls: Urls): Product {
  return {
    ...presentProductHit(row, urls),
    description: row.description,
    related_pieces: presentRelated(row, urls),
    updated_at: row.updated_at.toISOString(),
  }
}

const presentRelated = (
  { related, author_slug }: Pick<WholeProductRow, 'related' | 'author_slug'>,
  urls: Urls,
): Product['related_pieces'] =>
  related.map(({ id, slug, headline }) => ({
    id: urls.pieceId(id),
    url: urls.piece(author_slug, slug),
    title: headline,
  }))

/** With two decimals, as stored. */
export const presentPrice = ({
  price,
  currency,
}: {
  price: string | null
  currency: string | null
}): Product['price'] => (price !== null && currency !== null ? { amount: price, currency } : null)

// For pages and the text catalogue: what they show besides the Product of the API.

export interface ProductOnPage {
  readonly product: Product
  readonly image: ProductImage | null
}

export interface ProductImage {
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

export async function productOnPage({ db, urls }: ReadContext, slug: string): Promise<ProductOnPage | undefined> {
  const row = await productAt(db, slug)
  return row && { product: presentProduct(row, urls), image: imageOf(row, urls) }
}

interface ImageRow {
  readonly image: string | null
  readonly image_alt: string | null
  readonly image_width: number | null
  readonly image_height: number | null
}

const imageOf = (row: ImageRow, urls: Urls): ProductImage | null =>
  row.image !== null && row.image_width !== null && row.image_height !== null
    ? { url: urls.media(row.image), alt: row.image_alt ?? '', width: row.image_width, height: row.image_height }
    : null

export interface SellerProducts {
  readonly products: readonly ProductHit[]
  readonly hasMore: boolean
}

/** On an author's page and in its Markdown version; the shop has the rest. */
const maxOnPage = 12

export const noProducts: SellerProducts = { products: [], hasMore: false }

/** An author's listings, in their order. */
export async function productsOfAuthor({ db, urls }: ReadContext, authorId: string): Promise<SellerProducts> {
  const rows = await rowsInOrder(db, authorId, maxOnPage + 1)
  return {
    products: rows.slice(0, maxOnPage).map((row) => presentProductHit(row, urls)),
    hasMore: rows.length > maxOnPage,
  }
}

export type CatalogueLine = ProductHit & Pick<Product, 'related_pieces'>

export interface CatalogueEnd {
  readonly next_cursor: string | null
}

/** Rows per query: bounds the memory used and how long the event loop is blocked. */
const perRead = 500

/** Yields pages of listings, newest first, up to `most` listings; returns the cursor of the next. */
export async function* catalogue(
  { db, urls }: ReadContext,
  { most, cursor }: { most: number; cursor: string | undefined },
): AsyncGenerator<CatalogueLine[], CatalogueEnd> {
  let after = parseCursor('catalogue', cursor, latest)
  for (let left = most; left > 0; left -= perRead) {
    const limit = Math.min(perRead, left)
    const rows = await catalogueRows(db, after, limit + 1)
    const page = rows.slice(0, limit)
    yield page.map((row) => ({ ...presentProductHit(row, urls), related_pieces: presentRelated(row, urls) }))
    if (rows.length <= limit) return { next_cursor: null }
    const last = page.at(-1)!
    after = { time: last.listed_at, id: last.id }
  }
  return { next_cursor: writeCursor('catalogue', [after.time.getTime(), after.id]) }
}
