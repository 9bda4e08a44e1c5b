import type { Urls } from '#platform/urls.ts'
import type { ProductRow, WholeProductRow } from './queries.ts'
import type { Product, ProductHit } from './schema.ts'

export function presentProductHit(row: ProductRow, urls: Urls): ProductHit {
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

export function presentProduct(row: WholeProductRow, urls: Urls): Product {
  return {
    ...presentProductHit(row, urls),
    description: row.description,
    related_pieces: presentRelated(row, urls),
    updated_at: row.updated_at.toISOString(),
  }
}

export const presentRelated = (
  { related, author_slug }: Pick<WholeProductRow, 'related' | 'author_slug'>,
  urls: Urls,
): Product['related_pieces'] =>
  related.map(({ id, slug, headline }) => ({
    id: urls.pieceId(id),
    url: urls.piece(author_slug, slug),
    title: headline,
  }))

/** With two places, as the database keeps it. */
export const presentPrice = ({
  price,
  currency,
}: {
  price: string | null
  currency: string | null
}): Product['price'] => (price !== null && currency !== null ? { amount: price, currency } : null)
