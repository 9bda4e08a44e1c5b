import { latest, placeOf } from '#features/pieces/keyset.ts'
import type { ReadContext } from '#platform/context.ts'
import { writeCursor } from '#platform/cursor.ts'
import type { Urls } from '#platform/urls.ts'
import { presentProduct, presentProductHit, presentRelated } from './present.ts'
import { catalogueRows, productAt, rowsInOrder } from './queries.ts'
import type { Product, ProductHit } from './schema.ts'

/** What pages and the text catalogue show of the shop beside the Product of the API. */

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

export interface SellersShelf {
  readonly products: readonly ProductHit[]
  readonly hasMore: boolean
}

/** On an author's page and in its twin; the shop has the rest. */
const mostOnPage = 12

export const nothingSold: SellersShelf = { products: [], hasMore: false }

/** What an author sells, in their order. */
export async function productsOfAuthor({ db, urls }: ReadContext, authorId: string): Promise<SellersShelf> {
  const rows = await rowsInOrder(db, authorId, mostOnPage + 1)
  return {
    products: rows.slice(0, mostOnPage).map((row) => presentProductHit(row, urls)),
    hasMore: rows.length > mostOnPage,
  }
}

export type CatalogueLine = ProductHit & Pick<Product, 'related_pieces'>

export interface CatalogueEnd {
  readonly next_cursor: string | null
}

/** Rows at a time: what is in memory at once, and how long the event loop is held. */
const perRead = 500

/** Listings, newest first, some at a time and `most` at the most; then where the next would be. */
export async function* catalogue(
  { db, urls }: ReadContext,
  { most, cursor }: { most: number; cursor: string | undefined },
): AsyncGenerator<CatalogueLine[], CatalogueEnd> {
  let after = placeOf('catalogue', cursor, latest)
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
